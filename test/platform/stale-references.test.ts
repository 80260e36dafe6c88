import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HoldfastError } from '../../src/lib/errors.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { allChanges, type Plan } from '../../src/plan/plan.ts'
import { applyImport } from '../../src/platform/imports/apply-import.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import type { RecordTypeName } from '../../src/records/record-type.ts'
import { NO_SETTINGS, type Settings } from '../../src/records/settings.ts'
import { readLiveModel, type LiveModel } from '../faults/live-model.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { oneDomain } from './one-domain.ts'
import { runsOf } from '../support/runs.ts'

const RUNS = runsOf('FAULT_RUNS', { sample: 20, long: 40 })

// A reviewed plan is out of date if and only if something that it changes, or that its changes refer to, is not as it was:
// of every type, with units, grants, and the metadata types that rule over what is changed, or would if they were there.

const domain = oneDomain()

const rank = (value: number) => ({ key: 'rank', value })
const GRANTS = [
  { role: 'viewer', user: 'ada@example.org' },
  { role: 'viewer', machineUser: 'meter', within: 'acme/eg' },
  { role: 'viewer', organization: 'acme' },
]
const SECRET = 'Initial-3fGh6Jk9Pq2Sw5Xz8Bn1'

/** What the document says of each record where the plan is to change it, by its id. */
const CHANGES: { readonly [id: string]: JsonObject } = {
  'applicationConsumers/app': { name: 'New' },
  'characteristics/heat': { name: 'New' },
  // It has no field to change, so it comes with the change.
  'characteristicServiceLinks/heat/room': {},
  'componentModels/sensor': { name: 'New' },
  'dataSources/csv': { name: 'New' },
  'eventModels/alarm': { message: 'New' },
  'machineUsers/meter': { status: 'DEACTIVATED' },
  'metadataTypes/SERVICE/rank': { default: 3 },
  // `extra` has no metadata type: one that comes would rule over it.
  'services/room': { metadataKeyValueStore: [rank(2), { key: 'extra', value: 'x' }] },
  'serviceComponentModelLinks/room/sensor': { index: 7 },
  'organizations/acme': { name: 'New' },
  'organizations/acme/eg': { name: 'New' },
  'users/ada@example.org': { name: 'New' },
}

/** What each of these refers to. */
const REFERENCES: { readonly [id: string]: readonly string[] } = {
  'characteristicServiceLinks/heat/room': ['characteristics/heat', 'services/room'],
  'serviceComponentModelLinks/room/sensor': ['services/room', 'componentModels/sensor'],
  'services/room': ['metadataTypes/SERVICE/rank', 'metadataTypes/SERVICE/extra'],
  'organizations/acme/eg': ['organizations/acme', 'metadataTypes/ORGANIZATION_UNIT/rank'],
  'users/ada@example.org': ['organizations/acme'],
  'access/viewer/user/ada@example.org': ['users/ada@example.org'],
  'access/viewer/machineUser/meter/within/acme~1eg': ['machineUsers/meter', 'organizations/acme/eg'],
  'access/viewer/organization/acme': ['organizations/acme'],
}

function documentWith(changed: readonly string[]): { [type: string]: JsonObject[] } {
  const record = (id: string, body: JsonObject) => ({ ...body, ...(changed.includes(id) && CHANGES[id]) })
  const eg = record('organizations/acme/eg', { name: 'EG', alias: 'eg', metadataKeyValueStore: [rank(1)] })
  const measured = { characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }
  return {
    applicationConsumers: [
      record('applicationConsumers/app', { slug: 'app', name: 'App', secret: SECRET, grantTypes: ['PASSWORD'] }),
    ],
    characteristics: [
      record('characteristics/heat', { code: 'heat', name: 'Heat', ...measured }),
      { code: 'light', name: 'Light', ...measured },
    ],
    characteristicServiceLinks: changed.includes('characteristicServiceLinks/heat/room')
      ? [{ characteristicCode: 'heat', serviceCode: 'room' }]
      : [],
    componentModels: [record('componentModels/sensor', { code: 'sensor', name: 'Sensor', componentType: 'DEVICE' })],
    dataSources: [record('dataSources/csv', { code: 'csv', name: 'CSV' })],
    eventModels: [
      record('eventModels/alarm', { code: 'alarm', eventType: 'SINGLE_POINT', entityType: 'SYSTEM', message: 'Hot' }),
    ],
    machineUsers: [record('machineUsers/meter', { username: 'meter', password: SECRET })],
    metadataTypes: [
      record('metadataTypes/SERVICE/rank', { entityType: 'SERVICE', key: 'rank', dataType: 'INTEGER' }),
      { entityType: 'ORGANIZATION_UNIT', key: 'rank', dataType: 'INTEGER' },
    ],
    services: [record('services/room', { code: 'room', name: 'Room', metadataKeyValueStore: [rank(1)] })],
    serviceComponentModelLinks: [
      record('serviceComponentModelLinks/room/sensor', { serviceCode: 'room', componentModelCode: 'sensor', index: 1 }),
    ],
    organizations: [
      record('organizations/acme', { name: 'Acme', alias: 'acme', organizationUnits: [eg] }),
      { name: 'Other', alias: 'other' },
    ],
    users: [
      record('users/ada@example.org', { email: 'ada@example.org', name: 'Ada', organization: { alias: 'acme' } }),
    ],
  }
}

const GRANT_IDS = Object.keys(REFERENCES).filter((id) => id.startsWith('access/'))

/** `granted`: which of the grants holdfast.yaml has. */
const settingsWith = (granted: readonly string[]): Settings => ({
  ...NO_SETTINGS,
  access: GRANTS.filter((_, index) => granted.includes(GRANT_IDS[index] ?? '')),
})

const ALL_IDS = [
  ...Object.keys(CHANGES),
  ...GRANT_IDS,
  'metadataTypes/ORGANIZATION_UNIT/rank',
  'metadataTypes/SERVICE/extra',
  'characteristics/light',
]

/** What somebody else does between review and apply: once for each record, however it can be done. */
type Doing = { readonly kind: 'update' | 'delete' | 'create'; readonly id: string }

/** Grants and some links have nothing to change. */
const UPDATES: { readonly [type: string]: JsonObject } = {
  applicationConsumers: { name: 'Else' },
  characteristics: { description: 'Else' },
  componentModels: { description: 'Else' },
  dataSources: { description: 'Else' },
  eventModels: { message: 'Else' },
  machineUsers: { status: 'ARCHIVED' },
  metadataTypes: { default: 9 },
  services: { description: 'Else' },
  serviceComponentModelLinks: { index: 5 },
  organizations: { name: 'Else' },
  users: { name: 'Else' },
}

function apart(id: string): [RecordTypeName, string] {
  const [type = '', ...key] = id.split('/')
  return [type as RecordTypeName, key.join('/')]
}

async function act({ kind, id }: Doing): Promise<void> {
  const [type, key] = apart(id)
  const allow = ['deletes-data'] as const
  if (kind === 'delete') await deleteRecord(domain(), type, key, allow)
  else if (kind === 'update') await updateRecord(domain(), type, key, UPDATES[type] ?? {}, allow)
  else {
    // It allows nothing of what the document says.
    const [entityType, name] = key.split('/')
    await createRecord(domain(), type, { entityType, key: name, dataType: 'UUID' } as JsonObject, allow)
  }
}

/** What somebody else has deleted as well is done, and concerns the plan no more. */
function concernedBy(reviewed: Plan, now: LiveModel): string[] {
  return allChanges(reviewed).flatMap(({ type, key, after }) => {
    const id = `${type}/${key}`
    if (after === null) return now.digests.has(id) ? [id] : []
    return [id, ...(REFERENCES[id] ?? [])]
  })
}

function movedBetween(before: LiveModel, after: LiveModel): string[] {
  const ids = new Set([...before.digests.keys(), ...after.digests.keys()])
  return [...ids].filter((id) => before.digests.get(id) !== after.digests.get(id))
}

/** All that can be done to these. */
function doingsTo(ids: readonly string[]): Doing[] {
  return ids.flatMap((id): Doing[] => {
    if (id === 'metadataTypes/SERVICE/extra') return [{ kind: 'create', id }]
    const isChangeable = UPDATES[apart(id)[0]] !== undefined
    return [{ kind: 'delete', id }, ...(isChangeable ? [{ kind: 'update' as const, id }] : [])]
  })
}

const scene = fc
  .record({
    changed: fc.uniqueArray(fc.constantFrom(...Object.keys(CHANGES)), { minLength: 1, maxLength: 3 }),
    granted: fc.subarray(GRANT_IDS),
  })
  .chain(({ changed, granted }) => {
    // As often as not it concerns the plan.
    const concerned = [...changed, ...granted].flatMap((id) => [id, ...(REFERENCES[id] ?? [])])
    return fc.record({
      changed: fc.constant(changed),
      granted: fc.constant(granted),
      doing: fc.oneof(fc.constantFrom(...doingsTo(concerned)), fc.constantFrom(...doingsTo(ALL_IDS))),
    })
  })

it('an apply is refused as STALE_PLAN if and only if something that the plan touches or refers to has changed', async () => {
  const outcomes = { STALE_PLAN: 0, applied: 0 }
  await fc.assert(
    fc.asyncProperty(scene, async ({ changed, granted, doing }) => {
      await applyAll(domain(), documentWith([]), settingsWith(GRANT_IDS.slice(1)))
      const document = documentWith(changed)
      const decided = settingsWith(granted)
      const settings = acknowledging(await plan(domain(), document, decided), decided)
      const reviewed = await plan(domain(), document, settings)
      const before = await readLiveModel(domain())
      const isDone = await act(doing).then(
        () => true,
        (error: unknown) => !(error instanceof HoldfastError),
      )
      const now = await readLiveModel(domain())
      const moved = movedBetween(before, now)
      const outcome: unknown = await applyImport(domain(), { document, settings, plan: reviewed, origin: {} }).then(
        () => 'applied',
        (error: HoldfastError) => error.code,
      )
      const isStale = concernedBy(reviewed, now).some((id) => moved.includes(id))
      expect({ outcome, isDone }).toEqual({ outcome: isStale ? 'STALE_PLAN' : 'applied', isDone })
      if (isStale) outcomes.STALE_PLAN += 1
      else outcomes.applied += 1
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(Math.min(outcomes.STALE_PLAN, outcomes.applied)).toBeGreaterThan(RUNS / 40)
}, 60_000)
