import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { canonicalRecord, mergeUntouched, type MetadataDataTypes } from '../../src/records/canonical.ts'
import { canonicalInstant } from '../../src/records/instant.ts'
import { recordType } from '../../src/records/registry.ts'
import type { RecordTypeName } from '../../src/records/record-type.ts'
import { example } from '../support/example-records.ts'

// Semantics, section 4: two records are equal when their canonical forms are.

const NO_TYPES: MetadataDataTypes = () => undefined

function canonicalText(type: RecordTypeName, fields: JsonObject, metadata = NO_TYPES): string {
  return JSON.stringify(canonicalRecord(recordType(type), { ...example(type, 'it'), ...fields }, metadata).body)
}

interface Pair {
  readonly what: string
  readonly type: RecordTypeName
  readonly one: JsonObject
  readonly other: JsonObject
}

const timestamps = (value: string) => ({ dataType: 'TIMESTAMP', boundaryMin: value })
const metadata = (...items: readonly Json[]) => ({ metadataKeyValueStore: items })
const option = (key: string) => ({ key, label: key, meta: [] })

const EQUAL: readonly Pair[] = [
  { what: 'a date-time in another zone', type: 'characteristics', one: timestamps('2026-01-31T07:30:00+01:00'), other: timestamps('2026-01-31T06:30:00Z') },
  { what: 'a date-time with a fraction of zeros', type: 'characteristics', one: timestamps('2026-01-31T06:30:00.000Z'), other: timestamps('2026-01-31T06:30:00Z') },
  { what: 'a date-time in lower case', type: 'characteristics', one: timestamps('2026-01-31t06:30:00z'), other: timestamps('2026-01-31T06:30:00Z') },
  { what: 'a schema as text', type: 'characteristics', one: { dataType: 'JSON', schema: '{ "type": "object", "minProperties": 1 }' }, other: { dataType: 'JSON', schema: { minProperties: 1, type: 'object' } } },
  { what: 'a set in another order', type: 'applicationConsumers', one: { scopes: ['email', 'service'] }, other: { scopes: ['service', 'email'] } },
  { what: 'a set with an item twice', type: 'applicationConsumers', one: { grantTypes: ['PASSWORD', 'PASSWORD'] }, other: { grantTypes: ['PASSWORD'] } },
  { what: 'metadata in another order', type: 'services', one: metadata({ key: 'a', value: 1 }, { key: 'b', value: 2 }), other: metadata({ key: 'b', value: 2 }, { key: 'a', value: 1 }) },
  { what: 'a plain string and a tagged one', type: 'services', one: metadata({ key: 'a', value: 'x' }), other: metadata({ key: 'a', value: { string: 'x' } }) },
  { what: 'a plain whole number and an integer', type: 'services', one: metadata({ key: 'a', value: 1 }), other: metadata({ key: 'a', value: { integer: 1 } }) },
  { what: 'a plain fraction and a float', type: 'services', one: metadata({ key: 'a', value: 1.5 }), other: metadata({ key: 'a', value: { float: 1.5 } }) },
  { what: 'a plain boolean and a tagged one', type: 'services', one: metadata({ key: 'a', value: true }), other: metadata({ key: 'a', value: { boolean: true } }) },
  { what: 'a timestamp in another zone', type: 'services', one: metadata({ key: 'a', value: { timestamp: '2026-01-01T01:00:00+01:00' } }), other: metadata({ key: 'a', value: { timestamp: '2026-01-01T00:00:00Z' } }) },
  { what: 'a uuid in upper case', type: 'services', one: metadata({ key: 'a', value: { uuid: 'AAAAAAAA-0000-4000-8000-000000000000' } }), other: metadata({ key: 'a', value: { uuid: 'aaaaaaaa-0000-4000-8000-000000000000' } }) },
  { what: 'an e-mail address in upper case', type: 'users', one: { email: 'Ada@Example.org' }, other: { email: 'ada@example.org' } },
  { what: 'the default of a timestamp in another zone', type: 'metadataTypes', one: { dataType: 'TIMESTAMP', default: '2026-01-01T01:00:00+01:00' }, other: { dataType: 'TIMESTAMP', default: '2026-01-01T00:00:00Z' } },
]

const DIFFERENT: readonly Pair[] = [
  { what: 'options in another order', type: 'characteristics', one: { dataType: 'SELECT', options: [option('a'), option('b')] }, other: { dataType: 'SELECT', options: [option('b'), option('a')] } },
  { what: 'instants a millisecond apart', type: 'characteristics', one: timestamps('2026-01-31T06:30:00.001Z'), other: timestamps('2026-01-31T06:30:00Z') },
  { what: 'instants a nanosecond apart', type: 'characteristics', one: timestamps('2026-01-31T06:30:00.000000001Z'), other: timestamps('2026-01-31T06:30:00Z') },
  { what: 'a date of another data type that looks like an instant', type: 'characteristics', one: { dataType: 'STRING', boundaryMin: '2026-01-31T07:30:00+01:00' }, other: { dataType: 'STRING', boundaryMin: '2026-01-31T06:30:00Z' } },
  { what: 'an integer and a float', type: 'services', one: metadata({ key: 'a', value: { integer: 1 } }), other: metadata({ key: 'a', value: { float: 1 } }) },
  { what: 'a number and its digits', type: 'services', one: metadata({ key: 'a', value: 1 }), other: metadata({ key: 'a', value: '1' }) },
  { what: 'no scopes and scopes that are not set', type: 'applicationConsumers', one: { scopes: [] }, other: {} },
  { what: 'no redirect URIs and null', type: 'applicationConsumers', one: { redirectUris: [] }, other: { redirectUris: null } },
  { what: 'arrays inside a schema in another order', type: 'characteristics', one: { dataType: 'JSON', schema: { enum: [1, 2] } }, other: { dataType: 'JSON', schema: { enum: [2, 1] } } },
]

describe('two spellings of one record are equal', () => {
  test.each(EQUAL)('$what', ({ type, one, other }) => {
    expect(canonicalText(type, one)).toBe(canonicalText(type, other))
  })
})

describe('two records are different', () => {
  test.each(DIFFERENT)('$what', ({ type, one, other }) => {
    expect(canonicalText(type, one)).not.toBe(canonicalText(type, other))
  })
})

describe('a plain metadata value', () => {
  const tagged = (value: Json, dataType: ReturnType<MetadataDataTypes>) => {
    const { body } = canonicalRecord(recordType('services'), { code: 'it', name: 'it', ...metadata({ key: 'k', value }) }, () => dataType)
    return (body['metadataKeyValueStore'] as JsonObject[])[0]?.['value']
  }

  test.each([
    [5, 'FLOAT', { float: 5 }],
    [5, 'INTEGER', { integer: 5 }],
    [5, undefined, { integer: 5 }],
    [5.5, 'FLOAT', { float: 5.5 }],
    [5.5, undefined, { float: 5.5 }],
    ['2026-01-01T01:00:00+01:00', 'TIMESTAMP', { timestamp: '2026-01-01T00:00:00Z' }],
    ['2026-01-01T01:00:00+01:00', undefined, { string: '2026-01-01T01:00:00+01:00' }],
    ['AAAAAAAA-0000-4000-8000-000000000000', 'UUID', { uuid: 'aaaaaaaa-0000-4000-8000-000000000000' }],
    [null, 'STRING', null],
  ] as const)('%j under the MetadataType %s is %j', (value, dataType, expected) => {
    expect(tagged(value, dataType)).toEqual(expected)
  })

  test('that does not fit its MetadataType keeps the tag of its shape, so that the mistake can be named', () => {
    expect(tagged('five', 'INTEGER')).toEqual({ string: 'five' })
  })

  test.each([
    ['services', 0, 'SERVICE'],
    ['characteristics', 0, 'CHARACTERISTIC'],
    ['componentModels', 0, 'COMPONENT_MODEL'],
    ['eventModels', 0, 'EVENT_MODEL'],
    ['users', 0, 'USER'],
    ['organizations', 0, 'ORGANIZATION'],
    ['organizations', 1, 'ORGANIZATION_UNIT'],
    ['organizations', 3, 'ORGANIZATION_UNIT'],
  ] as const)('of %s at depth %i is ruled by the MetadataType of %s', (type, depth, entity) => {
    const input = { ...example(type, 'it'), ...metadata({ key: 'k', value: 1 }) }
    const { body } = canonicalRecord(recordType(type), input, (entityType) => (entityType === entity ? 'FLOAT' : undefined), depth)
    expect(body['metadataKeyValueStore']).toEqual([{ key: 'k', value: { float: 1 } }])
  })
})

test('a canonical body read again is the same: once is enough', () => {
  const type = recordType('characteristics')
  const inputs = [...EQUAL, ...DIFFERENT].filter((pair) => pair.type === 'characteristics').flatMap(({ one, other }) => [one, other])
  for (const fields of inputs) {
    const { body } = canonicalRecord(type, { ...example('characteristics', 'it'), ...fields }, NO_TYPES)
    expect(canonicalRecord(type, body, NO_TYPES).body).toEqual(body)
  }
})

test('every offset of an instant has one canonical spelling', () => {
  const instant = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, minutes) => {
      const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1)
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const offset = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
      const canonical = canonicalInstant(local + offset)
      expect(canonical).toBe(canonicalInstant(date.toISOString()))
      expect(Date.parse(canonical)).toBe(date.getTime())
    }),
    { endOnFailure: true },
  )
})

test('fields that a document leaves untouched are taken from the platform, all others from the document', () => {
  const type = recordType('services')
  const written = canonicalRecord(type, { code: 'it', name: 'New' }, NO_TYPES)
  expect(written.untouched).toEqual(['description', 'metadataKeyValueStore'])
  const live = { code: 'it', description: 'kept', name: 'Old', status: 'ARCHIVED' }
  expect(mergeUntouched(type, written, live)).toEqual({ code: 'it', description: 'kept', name: 'New', status: 'ACTIVATED' })
})
