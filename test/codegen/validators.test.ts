import { expect, test } from 'vitest'
import type { ImportDocument } from '../../generated/import-document.ts'
import { importDocument, plan, records, settings, type Validator } from '../../generated/validators.cjs'
import { PLAN_SCHEMA, SETTINGS_SCHEMA } from '../../src/codegen/schemas.ts'
import type { GuardCode, Plan, ScopeRow } from '../../src/plan/plan.ts'
import { DOCUMENT_TYPE_NAMES } from '../../src/records/record-type.ts'
import type { Settings } from '../../src/records/settings.ts'

const DIGEST = `sha256:${'0'.repeat(64)}` as const

// Typed by the generated types: what compiles here is also what validates.
const DOCUMENT: ImportDocument = {
  $schema: '../schemas/import-document.schema.json',
  applicationConsumers: [
    { name: 'Portal', slug: 'portal', secret: '${env:PORTAL}', grantTypes: ['PASSWORD'], redirectUris: null },
  ],
  characteristics: [
    {
      code: 'mode',
      name: 'Mode',
      characteristicType: 'SETTING',
      dataType: 'SELECT',
      options: [{ key: 'a', label: 'A' }],
    },
    { code: 'set', name: 'Set', characteristicType: 'SETTING', dataType: 'JSON', schema: { type: 'object' } },
  ],
  characteristicServiceLinks: [{ characteristicCode: 'mode', serviceCode: 'climate' }],
  componentModels: [{ code: 'pump', name: 'Pump', componentType: 'DEVICE', services: [{ code: 'climate' }] }],
  dataSources: [{ code: 'weather', description: null }],
  eventModels: [{ code: 'fault', eventType: 'RANGED', entityType: 'SYSTEM', message: null }],
  machineUsers: [{ username: 'import', password: '${env:IMPORT}' }],
  metadataTypes: [{ key: 'floor', entityType: 'COMPONENT', dataType: 'INTEGER', default: 1 }],
  services: [{ code: 'climate', name: 'Climate', characteristics: [{ code: 'mode' }] }],
  serviceComponentModelLinks: [{ serviceCode: 'climate', componentModelCode: 'pump' }],
  organizations: [{ name: 'House', organizationUnits: [{ name: 'Flat', directChildren: [{ name: 'Room' }] }] }],
  users: [{ email: 'ada@example.org', organization: { alias: null } }],
}

test('a document of all record types is valid', () => {
  expect(errorsOf(importDocument, DOCUMENT)).toEqual([])
})

test.each(DOCUMENT_TYPE_NAMES)('a record of %s is valid on its own', (type) => {
  expect(DOCUMENT[type]?.flatMap((record) => errorsOf(records[type], record))).toEqual([])
})

test('an empty document manages nothing and is valid', () => {
  expect(importDocument({})).toBe(true)
})

test.each(DOCUMENT_TYPE_NAMES)('an empty object is no record of %s', (type) => {
  expect(records[type]({})).toBe(false)
  expect(importDocument({ [type]: [{}] })).toBe(false)
})

test.each(DOCUMENT_TYPE_NAMES)('a record of %s has no other keys', (type) => {
  expect(records[type]({ ...DOCUMENT[type]?.[0], note: 'x' })).toBe(false)
})

test.each(['text', 1.5, true, null, { string: '' }, { float: 1 }, { integer: 1 }, { boolean: false }])(
  'metadata may hold %j',
  (value) => {
    expect(metadataIsValid(value)).toBe(true)
  },
)

test.each([{ timestamp: '2024-01-31T12:00:00Z' }, { uuid: '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c' }])(
  'metadata may hold %j',
  (value) => {
    expect(metadataIsValid(value)).toBe(true)
  },
)

test.each([
  {},
  [],
  undefined,
  { string: 'a', integer: 1 },
  { integer: 1.5 },
  { timestamp: '2024-01-31' },
  { timestamp: '2024-02-31T12:00:00Z' },
  { uuid: 'x' },
])('metadata may not hold %j', (value) => {
  expect(metadataIsValid(value)).toBe(false)
})

test('every mistake is reported, not only the first', () => {
  importDocument({ services: [{ code: 1, name: 2 }, {}] })
  expect(importDocument.errors).toHaveLength(4)
})

test.each<[string, unknown]>([
  ['records', { services: Array.from({ length: 5_000 }, () => 1) }],
  ['members of a record', { services: [Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [index, 1]))] }],
])('validation ends after the first thousand mistakes of %s', (_, document) => {
  expect(importDocument(document)).toBe(false)
  expect(importDocument.errors?.length).toBeLessThan(1_010)
})

test('the decisions of holdfast.yaml are validated', () => {
  const written: Settings = {
    acknowledge: [{ code: 'deletes-data', type: 'services', key: 'old', reason: 'gone' }],
    protect: [{ type: 'services', key: 'heating' }],
    moved: [{ type: 'characteristics', from: 'temp', to: 'room-temperature' }],
  }
  expect(settings(written)).toBe(true)
  expect(settings({})).toBe(true)
  expect(settings({ acknowledge: [{ code: 'deletes-everything', type: 'services' }] })).toBe(false)
  expect(settings({ protect: [{ type: 'services' }] })).toBe(false)
})

const SCOPE: ScopeRow[] = DOCUMENT_TYPE_NAMES.map((type) => ({
  type,
  state: 'managed',
  previously: null,
  files: 1,
  desired: 1,
  actual: 0,
  guards: [],
}))

const PLAN: Plan = {
  formatVersion: 1,
  domain: 'local',
  digest: DIGEST,
  outcome: 'blocked',
  summary: { create: 0, update: 1, delete: 0, move: 0, unchanged: 0, unmanagedTypes: 0 },
  scope: SCOPE,
  changes: [
    {
      type: 'services',
      key: 'climate',
      action: 'move',
      from: 'klima',
      cause: 'both',
      drift: { actor: 'ada@example.org', at: '2024-01-31T12:00:00Z' },
      source: { file: 'models/heating.yaml', line: 12, column: 5 },
      patch: [{ op: 'replace', path: '/name', value: 'Climate' }],
      before: { name: 'Klima' },
      after: null,
      beforeDigest: DIGEST,
      afterDigest: null,
      secret: 'not compared',
      reason: 'its service is deleted',
      referrers: [{ type: 'componentModels', key: 'pump' }],
      impact: { datapoints: 3 },
      guards: [{ code: 'protected', acknowledged: false, message: 'protected' }],
    },
  ],
  access: { state: 'unmanaged', previously: null, desired: 0, actual: 0, guards: [], changes: [] },
  references: [{ type: 'services', key: 'climate', digest: DIGEST }],
  diagnostics: [
    { severity: 'warning', code: 'unknown-key', message: 'x', pointer: '', file: 'a.yaml', line: 1, column: 1 },
  ],
}

test('a plan as the planner makes it is valid', () => {
  expect(errorsOf(plan, PLAN)).toEqual([])
})

test.each([
  { formatVersion: 2 },
  { digest: 'sha256:0' },
  { outcome: 'unknown' },
  { extra: 1 },
  { references: undefined },
  { access: undefined },
])('a plan with %j is not', (difference) => {
  expect(plan({ ...PLAN, ...difference })).toBe(false)
})

test('plan and settings know the record types and guards of the code', () => {
  const guards: { [code in GuardCode]: true } = {
    'deletes-data': true,
    'invalidates-data': true,
    'relabels-data': true,
    'strands-data': true,
    'mass-delete': true,
    'takes-over': true,
    'empties-type': true,
    'leaves-scope': true,
    'takes-ownership': true,
    protected: true,
    'widens-access': true,
    'overwrites-later': true,
  }
  for (const { $defs } of [PLAN_SCHEMA, SETTINGS_SCHEMA]) {
    expect($defs?.['RecordType']?.enum).toEqual(DOCUMENT_TYPE_NAMES)
    expect($defs?.['GuardCode']?.enum).toEqual(Object.keys(guards))
  }
})

function metadataIsValid(value: unknown): boolean {
  return records.services({
    code: 'a',
    name: 'A',
    metadataKeyValueStore: [value === undefined ? { key: 'k' } : { key: 'k', value }],
  })
}

function errorsOf(validate: Validator, data: unknown): unknown[] {
  return validate(data) ? [] : (validate.errors ?? [])
}
