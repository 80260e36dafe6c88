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
      { outcome: 'refused', errors: [{ code: 'unusable-schema' }] },
      'Checking a value must take a time that is known before: a device could otherwise stop the platform with one value. References in a circle are refused by name.',
    ],
    [
      'a pattern in schema may look around',
      imports(characteristic({ dataType: 'JSON', schema: { type: 'string', pattern: '^(?!x)' } })),
      { outcome: 'refused', errors: [{ code: 'unusable-schema' }] },
      'For the same reason: patterns are run by a matcher whose time is linear, which has neither lookaround nor backreferences.',
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
    ...(['DATE', 'TIMESTAMP'] as const).map(
      (dataType) =>
        [
          `boundaryMin of ${dataType} may be a duration`,
          imports(characteristic({ dataType, boundaryMin: 'PT1H' })),
          refused('boundary-of-other-type', '/characteristics/0/boundaryMin'),
          'The specification does not say since when; of a TIME it is since midnight.',
        ] as const,
    ),
    [
      'boundaryMin may be another string',
      imports(characteristic({ dataType: 'FLOAT', boundaryMin: 'cold' })),
      refused('boundary-of-other-type', '/characteristics/0/boundaryMin'),
      'No value could be compared with it. Where boundaries are ignored, any text is taken.',
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
