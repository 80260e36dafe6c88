import type { JsonObject } from '../../../src/lib/json.ts'
import { imports, refused, takenWith } from './sent.ts'
import { section, type Statement } from './statement.ts'

/** A document of one characteristic. */
export const characteristic = (fields: JsonObject): JsonObject => ({
  characteristics: [{ code: 'c', name: 'C', characteristicType: 'MEASUREMENT', ...fields }],
})

const TYPES = [
  'BLOB',
  'BOOLEAN',
  'DATE',
  'FLOAT',
  'INTEGER',
  'JSON',
  'SELECT',
  'STRING',
  'TIME',
  'TIMESPAN',
  'TIMESTAMP',
] as const

/** A field of every type but some: ignored is not refused, and is told. */
function ignored(field: string, value: JsonObject, honoured: readonly string[]) {
  return TYPES.filter((dataType) => !honoured.includes(dataType)).map((dataType) => {
    const options = dataType === 'SELECT' ? { options: [{ key: 'a', label: 'A' }] } : {}
    const document = characteristic({ dataType, ...options, ...value })
    return [`${field} is ignored for ${dataType}`, imports(document), takenWith('ignored-field')] as const
  })
}

export const CHARACTERISTIC_STATEMENTS: readonly Statement[] = [
  ...section(
    '2 Characteristic',
    ...ignored('multiple', { multiple: true }, ['SELECT']),
    ...ignored('schema', { schema: {} }, ['JSON']),
    ...ignored('boundaryMin', { boundaryMin: 'x' }, ['DATE', 'FLOAT', 'INTEGER', 'TIME', 'TIMESTAMP']),
    ...ignored('boundaryMax', { boundaryMax: 7 }, ['DATE', 'FLOAT', 'INTEGER', 'TIME', 'TIMESTAMP']),
    ...ignored('boundaryStep', { boundaryStep: 5 }, ['FLOAT', 'INTEGER']),
    ...ignored('precision', { precision: 2 }, ['FLOAT']),
    [
      'multiple is honoured for SELECT',
      imports(characteristic({ dataType: 'SELECT', multiple: true, options: [{ key: 'a', label: 'A' }] })),
      takenWith(),
    ],
    [
      'schema is honoured for JSON, as a text that holds it too',
      imports(characteristic({ dataType: 'JSON', schema: '{"type":"array"}' })),
      { outcome: 'taken', warnings: [], changes: [{ after: { schema: { type: 'array' } } }] },
    ],
    [
      'schema may refer to itself',
      imports(
        characteristic({
          dataType: 'JSON',
          schema: { type: 'array', items: { $ref: '#' } },
        }),
      ),
      takenWith(),
    ],
    [
      'schema may refer to itself for the same value, which no check ends',
      imports(characteristic({ dataType: 'JSON', schema: { anyOf: [{ $ref: '#' }] } })),
      takenWith('schema-not-enforced'),
    ],
    [
      'schema is any JSON schema',
      imports(characteristic({ dataType: 'JSON', schema: { $dynamicRef: '#node' } })),
      { outcome: 'refused', errors: [{ code: 'unusable-schema' }] },
      'Holdfast rejects a schema that its validator judges differently from the draft, so that no forbidden value passes. These are schemas with `$dynamicRef`, anchors, an inner `$id`, references to other documents, their own vocabulary, more than 1,000 parts, or some uses of `unevaluatedItems` and `unevaluatedProperties`.',
    ],
    [
      'a pattern in schema may look around',
      imports(characteristic({ dataType: 'JSON', schema: { type: 'string', pattern: '^(?!x)' } })),
      { outcome: 'refused', errors: [{ code: 'unusable-schema' }] },
      'A device could stop the platform with one value if checking took unlimited time. So patterns run in linear time, without lookaround and backreferences.',
    ],
    [
      'options are not required for SELECT',
      imports(characteristic({ dataType: 'SELECT' })),
      takenWith('options-missing'),
    ],
    ...(
      [
        ['DATE', '2026-01-31'],
        ['FLOAT', 1.5],
        ['INTEGER', 3],
        ['TIME', '10:00:00'],
        ['TIME', '10:00:00+02:00'],
        ['TIME', 'PT10H'],
        ['TIMESTAMP', '2026-01-31T06:30:00Z'],
      ] as const
    ).flatMap(([dataType, value]) => [
      [
        `boundaryMin of ${dataType} may be ${value}`,
        imports(characteristic({ dataType, boundaryMin: value })),
        takenWith(),
      ] as const,
      [
        `boundaryMax of ${dataType} may be ${value}`,
        imports(characteristic({ dataType, boundaryMax: value })),
        takenWith(),
      ] as const,
    ]),
    ...(
      [
        ['DATE', 'a duration', 'PT1H'],
        ['TIMESTAMP', 'a duration', 'PT1H'],
        ['DATE', 'a number', 7],
        ['FLOAT', 'another string', 'cold'],
        ['INTEGER', 'another string', 'PT1H'],
        ['TIME', 'another string', 'noon'],
      ] as const
    ).flatMap(([dataType, says, value]) =>
      (['boundaryMin', 'boundaryMax'] as const).map(
        (field) =>
          [
            `${field} of ${dataType} may be ${says}`,
            imports(characteristic({ dataType, [field]: value })),
            { ...takenWith('boundary-not-enforced'), changes: [{ after: { [field]: value } }] },
          ] as const,
      ),
    ),
    [
      'boundaryMin of INTEGER may be a number',
      imports(characteristic({ dataType: 'INTEGER', boundaryMin: 1.5 })),
      takenWith(),
    ],
    [
      'boundaryMin may be above boundaryMax',
      imports(characteristic({ dataType: 'FLOAT', boundaryMin: 5, boundaryMax: 1 })),
      refused('boundaries-crossed', '/characteristics/0/boundaryMin'),
      'No value could be valid, so it is a mistake, and every datapoint would be rejected.',
    ],
    [
      'the key of an option is any string, also one that another option has',
      imports(characteristic({ dataType: 'SELECT', options: ['', 'a', 'a'].map((key) => ({ key, label: 'A' })) })),
      {
        outcome: 'refused',
        errors: [
          { code: 'empty-option-key', pointer: '/characteristics/0/options/0/key' },
          { code: 'duplicate-option', pointer: '/characteristics/0/options/2/key' },
        ],
      },
      'The key is the stored value. An empty key looks like none, and two equal keys cannot be distinguished.',
    ],
    [
      'boundaryStep is honoured for FLOAT',
      imports(characteristic({ dataType: 'FLOAT', boundaryStep: 0.5 })),
      takenWith(),
    ],
    [
      'boundaryStep is honoured for INTEGER',
      imports(characteristic({ dataType: 'INTEGER', boundaryStep: 5 })),
      takenWith(),
    ],
    ...[0, -0.5].map(
      (boundaryStep) =>
        [
          `boundaryStep is any number: ${boundaryStep}`,
          imports(characteristic({ dataType: 'FLOAT', boundaryStep })),
          takenWith('boundary-step'),
        ] as const,
    ),
    [
      'boundaryStep of an INTEGER may be a number',
      imports(characteristic({ dataType: 'INTEGER', boundaryStep: 0.5 })),
      takenWith('boundary-step'),
    ],
    ['precision is honoured for FLOAT', imports(characteristic({ dataType: 'FLOAT', precision: 2 })), takenWith()],
    ...[40, -1].map(
      (precision) =>
        [
          `precision is any integer: ${precision}`,
          imports(characteristic({ dataType: 'FLOAT', precision })),
          takenWith('precision-range'),
        ] as const,
    ),
  ),
]
