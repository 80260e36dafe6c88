import { DOCUMENT_TYPE_NAMES, type RecordTypeName } from '../../src/records/record-type.ts'

/** One record of a type, and a change of it; in the order in which they can be created. */
export interface RecordExample {
  readonly type: RecordTypeName
  readonly input: { readonly [field: string]: unknown }
  /** The arguments that name it. */
  readonly identity: { readonly [field: string]: string }
  readonly key: string
  /** Null if a record is nothing but its identity. */
  readonly patch: { readonly [field: string]: unknown } | null
}

const status = 'DEACTIVATED'
const metadataKeyValueStore = [{ key: 'floor', value: { integer: 3 } }]

export const RECORD_EXAMPLES: readonly RecordExample[] = [
  {
    type: 'characteristics',
    input: {
      code: 'mode',
      name: 'Mode',
      characteristicType: 'SETTING',
      dataType: 'SELECT',
      options: [{ key: 'auto', label: 'Automatic', meta: [] }],
    },
    identity: { code: 'mode' },
    key: 'mode',
    patch: { status, metadataKeyValueStore, multiple: true },
  },
  {
    type: 'services',
    input: { code: 'climate', name: 'Climate' },
    identity: { code: 'climate' },
    key: 'climate',
    patch: { description: 'Air and heat' },
  },
  {
    type: 'componentModels',
    input: { code: 'heat-pump', name: 'Heat pump', componentType: 'DEVICE' },
    identity: { code: 'heat-pump' },
    key: 'heat-pump',
    patch: { isConnective: true },
  },
  {
    type: 'characteristicServiceLinks',
    input: { characteristicCode: 'mode', serviceCode: 'climate' },
    identity: { characteristicCode: 'mode', serviceCode: 'climate' },
    key: 'mode/climate',
    patch: null,
  },
  {
    type: 'serviceComponentModelLinks',
    input: { serviceCode: 'climate', componentModelCode: 'heat-pump', index: 2_147_483_647 },
    identity: { serviceCode: 'climate', componentModelCode: 'heat-pump' },
    key: 'climate/heat-pump',
    patch: { index: 1 },
  },
  {
    type: 'dataSources',
    input: { code: 'weather', reference: 'station 4' },
    identity: { code: 'weather' },
    key: 'weather',
    patch: { description: 'Hourly' },
  },
  {
    type: 'eventModels',
    input: { code: 'filter', eventType: 'RANGED', entityType: 'COMPONENT' },
    identity: { code: 'filter' },
    key: 'filter',
    patch: { eventLevel: 'WARNING', message: 'Change the filter' },
  },
  {
    type: 'metadataTypes',
    input: { key: 'a/b', entityType: 'SERVICE', dataType: 'INTEGER', default: 4 },
    identity: { entityType: 'SERVICE', key: 'a/b' },
    key: 'SERVICE/a~1b',
    patch: { description: 'Which floor' },
  },
  {
    type: 'machineUsers',
    input: { username: 'meter', password: 'a password for the meter' },
    identity: { username: 'meter' },
    key: 'meter',
    patch: { status },
  },
  {
    type: 'applicationConsumers',
    input: { name: 'Portal', slug: 'portal', secret: 'a-secret-of-the-portal-1', grantTypes: ['PASSWORD'] },
    identity: { slug: 'portal' },
    key: 'portal',
    patch: { scopes: ['email'] },
  },
  {
    type: 'organizations',
    input: {
      name: 'Elm Street',
      alias: 'elm',
      organizationUnits: [{ name: 'Building A', directChildren: [{ name: 'Floor 1' }] }],
    },
    identity: { recordKey: 'elm' },
    key: 'elm',
    patch: { name: 'Elm Street Housing' },
  },
  {
    type: 'users',
    input: { email: 'Ada@Example.org', organization: { alias: 'elm' } },
    identity: { email: 'ADA@example.org' },
    key: 'ada@example.org',
    patch: { name: 'Ada' },
  },
]

const missing = DOCUMENT_TYPE_NAMES.filter((name) => !RECORD_EXAMPLES.some(({ type }) => type === name))
if (missing.length > 0) throw new Error(`there is no example of ${missing.join(', ')}`)
