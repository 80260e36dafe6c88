import type { Json, JsonObject } from '../../src/lib/json.ts'
import type { DocumentTypeName } from '../../src/records/record-type.ts'

export interface Pair {
  readonly what: string
  readonly type: DocumentTypeName
  readonly one: JsonObject
  readonly other: JsonObject
}

const timestamps = (value: string) => ({ dataType: 'TIMESTAMP', boundaryMin: value })
export const metadata = (...items: readonly Json[]) => ({ metadataKeyValueStore: items })
const option = (key: string) => ({ key, label: key, meta: [] })

/** Two spellings of one record. */
export const EQUAL: readonly Pair[] = [
  {
    what: 'a date-time in another zone',
    type: 'characteristics',
    one: timestamps('2026-01-31T07:30:00+01:00'),
    other: timestamps('2026-01-31T06:30:00Z'),
  },
  {
    what: 'a date-time with a fraction of zeros',
    type: 'characteristics',
    one: timestamps('2026-01-31T06:30:00.000Z'),
    other: timestamps('2026-01-31T06:30:00Z'),
  },
  {
    what: 'a date-time in lower case',
    type: 'characteristics',
    one: timestamps('2026-01-31t06:30:00z'),
    other: timestamps('2026-01-31T06:30:00Z'),
  },
  {
    what: 'a schema as text',
    type: 'characteristics',
    one: { dataType: 'JSON', schema: '{ "type": "object", "minProperties": 1 }' },
    other: { dataType: 'JSON', schema: { minProperties: 1, type: 'object' } },
  },
  {
    what: 'a set in another order',
    type: 'applicationConsumers',
    one: { scopes: ['email', 'service'] },
    other: { scopes: ['service', 'email'] },
  },
  {
    what: 'a set with an item twice',
    type: 'applicationConsumers',
    one: { grantTypes: ['PASSWORD', 'PASSWORD'] },
    other: { grantTypes: ['PASSWORD'] },
  },
  {
    what: 'metadata in another order',
    type: 'services',
    one: metadata({ key: 'a', value: 1 }, { key: 'b', value: 2 }),
    other: metadata({ key: 'b', value: 2 }, { key: 'a', value: 1 }),
  },
  {
    what: 'a plain string and a tagged one',
    type: 'services',
    one: metadata({ key: 'a', value: 'x' }),
    other: metadata({ key: 'a', value: { string: 'x' } }),
  },
  {
    what: 'a plain whole number and an integer',
    type: 'services',
    one: metadata({ key: 'a', value: 1 }),
    other: metadata({ key: 'a', value: { integer: 1 } }),
  },
  {
    what: 'a plain fraction and a float',
    type: 'services',
    one: metadata({ key: 'a', value: 1.5 }),
    other: metadata({ key: 'a', value: { float: 1.5 } }),
  },
  {
    what: 'a plain boolean and a tagged one',
    type: 'services',
    one: metadata({ key: 'a', value: true }),
    other: metadata({ key: 'a', value: { boolean: true } }),
  },
  {
    what: 'a timestamp in another zone',
    type: 'services',
    one: metadata({ key: 'a', value: { timestamp: '2026-01-01T01:00:00+01:00' } }),
    other: metadata({ key: 'a', value: { timestamp: '2026-01-01T00:00:00Z' } }),
  },
  {
    what: 'a uuid in upper case',
    type: 'services',
    one: metadata({ key: 'a', value: { uuid: 'AAAAAAAA-0000-4000-8000-000000000000' } }),
    other: metadata({ key: 'a', value: { uuid: 'aaaaaaaa-0000-4000-8000-000000000000' } }),
  },
  {
    what: 'an e-mail address in upper case',
    type: 'users',
    one: { email: 'Ada@Example.org' },
    other: { email: 'ada@example.org' },
  },
  {
    what: 'the default of a timestamp in another zone',
    type: 'metadataTypes',
    one: { dataType: 'TIMESTAMP', default: '2026-01-01T01:00:00+01:00' },
    other: { dataType: 'TIMESTAMP', default: '2026-01-01T00:00:00Z' },
  },
]

/** Two records that differ. */
export const DIFFERENT: readonly Pair[] = [
  {
    what: 'options in another order',
    type: 'characteristics',
    one: { dataType: 'SELECT', options: [option('a'), option('b')] },
    other: { dataType: 'SELECT', options: [option('b'), option('a')] },
  },
  {
    what: 'instants a millisecond apart',
    type: 'characteristics',
    one: timestamps('2026-01-31T06:30:00.001Z'),
    other: timestamps('2026-01-31T06:30:00Z'),
  },
  {
    what: 'instants a nanosecond apart',
    type: 'characteristics',
    one: timestamps('2026-01-31T06:30:00.000000001Z'),
    other: timestamps('2026-01-31T06:30:00Z'),
  },
  {
    what: 'a date of another data type that looks like an instant',
    type: 'characteristics',
    one: { dataType: 'STRING', boundaryMin: '2026-01-31T07:30:00+01:00' },
    other: { dataType: 'STRING', boundaryMin: '2026-01-31T06:30:00Z' },
  },
  {
    what: 'an integer and a float',
    type: 'services',
    one: metadata({ key: 'a', value: { integer: 1 } }),
    other: metadata({ key: 'a', value: { float: 1 } }),
  },
  {
    what: 'a number and its digits',
    type: 'services',
    one: metadata({ key: 'a', value: 1 }),
    other: metadata({ key: 'a', value: '1' }),
  },
  { what: 'no scopes and scopes that are not set', type: 'applicationConsumers', one: { scopes: [] }, other: {} },
  {
    what: 'no redirect URIs and null',
    type: 'applicationConsumers',
    one: { redirectUris: [] },
    other: { redirectUris: null },
  },
  {
    what: 'arrays inside a schema in another order',
    type: 'characteristics',
    one: { dataType: 'JSON', schema: { enum: [1, 2] } },
    other: { dataType: 'JSON', schema: { enum: [2, 1] } },
  },
]
