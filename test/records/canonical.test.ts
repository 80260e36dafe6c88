import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../../src/documents/read/read-document.ts'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { canonicalRecord, mergeUntouched, type MetadataDataTypes } from '../../src/records/canonical.ts'
import { canonicalInstant } from '../../src/records/instant.ts'
import { recordType } from '../../src/records/registry.ts'
import type { DocumentTypeName } from '../../src/records/record-type.ts'
import { example } from '../support/example-records.ts'
import { DIFFERENT, EQUAL, metadata } from './spellings.ts'

// Semantics, section 4: two records are equal when their canonical forms are.

const NO_TYPES: MetadataDataTypes = () => undefined

function canonicalText(type: DocumentTypeName, fields: JsonObject, metadata = NO_TYPES): string {
  return JSON.stringify(canonicalRecord(recordType(type), { ...example(type, 'it'), ...fields }, metadata).body)
}

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

const tagged = (value: Json, dataType: ReturnType<MetadataDataTypes>) => {
  const { body } = canonicalRecord(
    recordType('services'),
    { code: 'it', name: 'it', ...metadata({ key: 'k', value }) },
    () => dataType,
  )
  return (body['metadataKeyValueStore'] as JsonObject[])[0]?.['value']
}

describe('a plain metadata value', () => {
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
    const { body } = canonicalRecord(
      recordType(type),
      input,
      (entityType) => (entityType === entity ? 'FLOAT' : undefined),
      depth,
    )
    expect(body['metadataKeyValueStore']).toEqual([{ key: 'k', value: { float: 1 } }])
  })
})

test('a canonical body read again is the same: once is enough', () => {
  const type = recordType('characteristics')
  const inputs = [...EQUAL, ...DIFFERENT]
    .filter((pair) => pair.type === 'characteristics')
    .flatMap(({ one, other }) => [one, other])
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
  expect(mergeUntouched(type, written, live)).toEqual({
    code: 'it',
    description: 'kept',
    name: 'New',
    status: 'ACTIVATED',
  })
})

test('a record of a document is made canonical once, so it stays as it was read', () => {
  const written: JsonObject & { services: { code: string; name: string }[] } = {
    services: [{ code: 'it', name: 'New' }],
  }
  const { snapshot, diagnostics } = readDocument(written)
  expect(diagnostics).toEqual([])
  for (const service of written.services) service.name = 'Changed since'
  expect(snapshot.get('services')?.records.get('it')?.body).toMatchObject({ name: 'New' })
})

test.each([
  ['2026-01-01T01:00:00.0001Z', '2026-01-01T02:00:00.0002+01:00', []],
  ['2026-01-01T01:00:00.0002Z', '2026-01-01T02:00:00.0001+01:00', ['boundaries-crossed']],
  ['2026-01-01T01:00:00.1Z', '2026-01-01T01:00:00Z', ['boundaries-crossed']],
  ['0050-01-01 00:00:00Z', '0049-01-01T00:00:00Z', ['boundaries-crossed']],
])('boundaries are compared by their instants: %s and %s', (boundaryMin, boundaryMax, codes) => {
  const fields = { dataType: 'TIMESTAMP', boundaryMin, boundaryMax }
  const { diagnostics } = readDocument({ characteristics: [{ ...example('characteristics', 'it'), ...fields }] })
  expect(diagnostics.map(({ code }) => code)).toEqual(codes)
})
