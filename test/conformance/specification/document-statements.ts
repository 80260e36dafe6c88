import { expect } from 'vitest'
import type { Json, JsonObject } from '../../../src/lib/json.ts'
import { HOSTS } from '../../server/test-server.ts'
import { characteristic } from './characteristic-statements.ts'
import { imports, planned, refused, TAKEN } from './sent.ts'
import { section, type Statement } from './statement.ts'

// Sections 1 and 2: what an import document is, beyond the fields of its records.

const KEYS = [
  'applicationConsumers',
  'characteristics',
  'characteristicServiceLinks',
  'componentModels',
  'dataSources',
  'eventModels',
  'machineUsers',
  'metadataTypes',
  'services',
  'serviceComponentModelLinks',
  'organizations',
  'users',
]

const metadataType = (fields: JsonObject): JsonObject => ({
  metadataTypes: [{ key: 'k', entityType: 'SYSTEM', dataType: 'STRING', ...fields }],
})
const withMetadata = (value: Json): JsonObject => ({
  services: [{ code: 's', name: 'S', metadataKeyValueStore: [{ key: 'k', value }] }],
})

/** As a plan describes it. */
function storedAs(value: Json): object {
  return { outcome: 'taken', changes: [{ after: { metadataKeyValueStore: [{ key: 'k', value }] } }] }
}

const MODEL = { code: 'm', name: 'M', componentType: 'DEVICE' } as const

const LINKED: unknown = expect.arrayContaining([
  expect.objectContaining({ type: 'characteristicServiceLinks', key: 'c/s' }),
])

export const DOCUMENT_STATEMENTS: readonly Statement[] = [
  ...section(
    '1 Import document',
    ['is one JSON object', imports([] as unknown as JsonObject), { outcome: 'refused' }],
    ['may be empty', imports({}), { outcome: 'taken', changes: [] }],
    ['has no other keys', imports({ tenants: [] }), { outcome: 'refused' }],
    [
      'a record type that it does not have is neither imported nor deleted',
      ({ server }) => planned(server, { dataSources: [] }, HOSTS.second),
      { outcome: 'taken', changes: [] },
    ],
    ...KEYS.map((key) => [`${key} may be there, as an array`, imports({ [key]: [] }), TAKEN] as const),
    ...KEYS.map((key) => [`${key} is nothing but an array`, imports({ [key]: {} }), { outcome: 'refused' }] as const),
  ),
  ...section(
    '2 Metadata item',
    ['a plain string', imports(withMetadata('x')), storedAs({ string: 'x' })],
    ['a plain whole number', imports(withMetadata(7)), storedAs({ integer: 7 })],
    ['a plain number', imports(withMetadata(1.5)), storedAs({ float: 1.5 })],
    ['a plain boolean', imports(withMetadata(true)), storedAs({ boolean: true })],
    ['null', imports(withMetadata(null)), storedAs(null)],
    ['the wrapper string', imports(withMetadata({ string: 'x' })), storedAs({ string: 'x' })],
    ['the wrapper float', imports(withMetadata({ float: 1.5 })), storedAs({ float: 1.5 })],
    ['the wrapper float, of a whole number', imports(withMetadata({ float: 2 })), storedAs({ float: 2 })],
    ['the wrapper integer', imports(withMetadata({ integer: 7 })), storedAs({ integer: 7 })],
    [
      'the wrapper integer, beyond 2^53 as its decimal string',
      imports(withMetadata({ integer: '9223372036854775807' })),
      storedAs({ integer: '9223372036854775807' }),
    ],
    ['the wrapper boolean', imports(withMetadata({ boolean: false })), storedAs({ boolean: false })],
    [
      'the wrapper timestamp, a date-time',
      imports(withMetadata({ timestamp: '2026-01-31T06:30:00+01:00' })),
      storedAs({ timestamp: '2026-01-31T05:30:00Z' }),
    ],
    [
      'the wrapper uuid',
      imports(withMetadata({ uuid: '0C8F5A9E-6A1B-4A51-8C3E-1B7F2D90A005' })),
      storedAs({ uuid: '0c8f5a9e-6a1b-4a51-8c3e-1b7f2d90a005' }),
    ],
    ...(
      [
        ['a wrapper with two members', { string: 'x', integer: 1 }],
        ['a wrapper with none', {}],
        ['another wrapper', { text: 'x' }],
        ['a string that is a number', { string: 1 }],
        ['a float that is a text', { float: '1.5' }],
        ['an integer that is none', { integer: 1.5 }],
        ['a boolean that is a text', { boolean: 'true' }],
        ['a timestamp that is none', { timestamp: 'yesterday' }],
        ['a uuid that is none', { uuid: 'x' }],
        ['a list', ['x']],
      ] as const
    ).map(([says, value]) => [`not ${says}`, imports(withMetadata(value)), { outcome: 'refused' }] as const),
    [
      'key is required',
      imports({ services: [{ code: 's', name: 'S', metadataKeyValueStore: [{ value: 1 }] }] }),
      { outcome: 'refused' },
    ],
    [
      'two items may have the same key',
      imports({
        services: [
          {
            code: 's',
            name: 'S',
            metadataKeyValueStore: [
              { key: 'k', value: 1 },
              { key: 'k', value: 2 },
            ],
          },
        ],
      }),
      refused('duplicate-metadata-key', '/services/0/metadataKeyValueStore/1/key'),
      'Nobody could tell which of the two values counts.',
    ],
    [
      'value is required',
      imports({ services: [{ code: 's', name: 'S', metadataKeyValueStore: [{ key: 'k' }] }] }),
      { outcome: 'refused' },
    ],
  ),
  ...section('2 ServiceComponentModelLink', [
    'index is any integer',
    imports({ componentModels: [{ ...MODEL, services: [{ code: 's', index: 99999999999 }] }] }),
    refused('out-of-range', '/componentModels/0/services/0/index'),
    'The index is the position of a service in a component model, from -2^31 to 2^31 - 1.',
  ]),
  ...section(
    '2 References',
    [
      'a code of a record type is unique',
      imports({ componentModels: [1, 2].map((name) => ({ code: 'm', name: `${name}`, componentType: 'DEVICE' })) }),
      { outcome: 'refused', errors: [{ code: 'duplicate-identity' }] },
    ],
    [
      'a code is any string',
      imports({ services: [{ code: ' s', name: 'S' }] }),
      refused('blank-around-key', '/services/0/code'),
      'People read keys in plans and addresses, where blanks at the ends are invisible. Keys also have no control characters, and at most 500 characters.',
    ],
    [
      'the index of a link may stand in one of its spellings',
      imports({
        services: [{ code: 's', name: 'S' }],
        componentModels: [{ ...MODEL, services: [{ code: 's', index: 2 }] }],
        serviceComponentModelLinks: [{ serviceCode: 's', componentModelCode: 'm' }],
      }),
      { outcome: 'taken', warnings: [], changes: { 2: { after: { index: 2 } } } },
    ],
    [
      'a link makes the service support the characteristic',
      imports({
        ...characteristic({ dataType: 'FLOAT' }),
        services: [{ code: 's', name: 'S' }],
        characteristicServiceLinks: [{ characteristicCode: 'c', serviceCode: 's' }],
      }),
      { outcome: 'taken', changes: LINKED },
    ],
    [
      'a list in the service does too',
      imports({
        ...characteristic({ dataType: 'FLOAT' }),
        services: [{ code: 's', name: 'S', characteristics: [{ code: 'c' }] }],
      }),
      { outcome: 'taken', changes: LINKED },
    ],
    [
      'a code that nothing has refers to nothing',
      imports({ services: [{ code: 's', name: 'S', characteristics: [{ code: 'none' }] }] }),
      { outcome: 'refused', errors: [{ pointer: '/services/0/characteristics/0' }] },
    ],
  ),
  ...section('2 Service', ['an empty name is a string too', imports({ services: [{ code: 's', name: '' }] }), TAKEN]),
  ...section('2 Characteristic', [
    'an empty name is a string too',
    imports(characteristic({ dataType: 'FLOAT', name: '' })),
    TAKEN,
  ]),
  ...section('2 ComponentModel', [
    'an empty name is a string too',
    imports({ componentModels: [{ code: 'm', name: '', componentType: 'DEVICE' }] }),
    TAKEN,
  ]),
  ...section('2 DataSource', [
    'an empty name is a string too',
    imports({ dataSources: [{ code: 'd', name: '' }] }),
    TAKEN,
  ]),
  ...section('2 EventModel', [
    'message is a string, and null by default',
    imports({ eventModels: [{ code: 'e', eventType: 'RANGED', entityType: 'SYSTEM', message: null }] }),
    TAKEN,
  ]),
  ...section(
    '2 MetadataType',
    ...(
      [
        ['BOOLEAN', true],
        ['FLOAT', 1.5],
        ['INTEGER', 3],
        ['STRING', 'x'],
        ['TIMESTAMP', '2026-01-31T06:30:00Z'],
        ['UUID', '0c8f5a9e-6a1b-4a51-8c3e-1b7f2d90a005'],
      ] as const
    ).map(
      ([dataType, value]) =>
        [`default of ${dataType} is ${value}`, imports(metadataType({ dataType, default: value })), TAKEN] as const,
    ),
    [
      'default may have any of these types',
      imports(metadataType({ dataType: 'INTEGER', default: 'x' })),
      { outcome: 'refused', errors: [{ code: 'default-of-other-type' }] },
      'The default is the value of entities that have none, so it must have the dataType.',
    ],
    ...(
      [
        ['STRING', 'x'],
        ['INTEGER', 7],
      ] as const
    ).map(
      ([dataType, value]) =>
        [
          `each value of a unique ${dataType} is unique`,
          imports({
            metadataTypes: [{ key: 'k', entityType: 'SERVICE', dataType, unique: true }],
            services: ['s', 't'].map((code) => ({ code, name: 'S', metadataKeyValueStore: [{ key: 'k', value }] })),
          }),
          { outcome: 'refused' },
        ] as const,
    ),
    ['unique is supported for INTEGER', imports(metadataType({ dataType: 'INTEGER', unique: true })), TAKEN],
    ['unique is supported for STRING', imports(metadataType({ dataType: 'STRING', unique: true })), TAKEN],
    [
      'unique is supported for nothing else',
      imports(metadataType({ dataType: 'FLOAT', unique: true })),
      refused('unique-unsupported', '/metadataTypes/0/unique'),
    ],
  ),
]
