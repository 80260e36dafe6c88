import type { JsonObject } from '../../../src/lib/json.ts'
import { imports, refused, takenWith } from './sent.ts'
import { section, type Statement } from './statement.ts'

/** A document of one characteristic. */
export const characteristic = (fields: JsonObject): JsonObject => ({
  characteristics: [{ code: 'c', name: 'C', characteristicType: 'MEASUREMENT', ...fields }],
})

/** Ignored is not refused, and is told. */
const IGNORED = takenWith('ignored-field')

export const CHARACTERISTIC_STATEMENTS: readonly Statement[] = [
  ...section(
    '2 Characteristic',
    ['multiple is ignored but for SELECT', imports(characteristic({ dataType: 'FLOAT', multiple: true })), IGNORED],
    [
      'multiple is honoured for SELECT',
      imports(characteristic({ dataType: 'SELECT', multiple: true, options: [{ key: 'a', label: 'A' }] })),
      takenWith(),
    ],
    ['schema is ignored but for JSON', imports(characteristic({ dataType: 'FLOAT', schema: {} })), IGNORED],
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
      { outcome: 'refused', errors: [{ code: 'options-missing' }] },
      'A SELECT that is made without options could never have a value.',
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
    ...(['BLOB', 'BOOLEAN', 'JSON', 'STRING', 'TIMESPAN'] as const).map(
      (dataType) =>
        [
          `boundaryMin and boundaryMax are ignored for ${dataType}`,
          imports(characteristic({ dataType, boundaryMin: 'x', boundaryMax: 7 })),
          takenWith('ignored-field', 'ignored-field'),
        ] as const,
    ),
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
    ['boundaryStep is ignored elsewhere', imports(characteristic({ dataType: 'DATE', boundaryStep: 5 })), IGNORED],
    [
      'boundaryStep is any number',
      imports(characteristic({ dataType: 'FLOAT', boundaryStep: 0 })),
      refused('boundary-step', '/characteristics/0/boundaryStep'),
      'With a step of 0, or a negative one, nothing is said.',
    ],
    [
      'boundaryStep of an INTEGER may be a number',
      imports(characteristic({ dataType: 'INTEGER', boundaryStep: 0.5 })),
      refused('boundary-step', '/characteristics/0/boundaryStep'),
      'Every whole number is on a step of 0.5, and of 1.5 only every third: whatever is meant is a whole number.',
    ],
    ['precision is honoured for FLOAT', imports(characteristic({ dataType: 'FLOAT', precision: 2 })), takenWith()],
    ['precision is ignored elsewhere', imports(characteristic({ dataType: 'INTEGER', precision: 2 })), IGNORED],
    [
      'precision is any integer',
      imports(characteristic({ dataType: 'FLOAT', precision: 40 })),
      refused('precision-range', '/characteristics/0/precision'),
      'A number has no more than 15 decimals that mean anything, and not fewer than none.',
    ],
  ),
]
