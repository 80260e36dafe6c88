import fc from 'fast-check'
import { expect, it } from 'vitest'
import { differenceOf } from '../../src/documents/base-document.ts'
import { HoldfastError } from '../../src/lib/errors.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { allChanges, type Change, type Plan } from '../../src/plan/plan.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { keyedDigest } from '../../src/platform/imports/planning/live-domain.ts'
import { planImport, READS_ALL } from '../../src/platform/imports/planning/plan-import.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import type { RecordTypeName } from '../../src/records/record-type.ts'
import type { Settings } from '../../src/records/settings.ts'
import { afterPlan, isDone, readLiveModel, type LiveModel } from '../faults/live-model.ts'
import { runsOf } from '../support/runs.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { validPlan } from '../support/valid-plan.ts'
import { oneDomain } from './one-domain.ts'
import {
  AS_IT_WAS,
  CHANGEABLE,
  DISPENSABLE,
  documentOf,
  GRANT_IDS,
  RENAMABLE,
  settingsOf,
  together,
  type Edits,
} from './stale-world.ts'

const RUNS = runsOf('FAULT_RUNS', { sample: 8, long: 400 })
const TIMEOUT = 60_000 + RUNS * 5_000

// A reviewed plan is out of date if and only if something that it changes, or that its changes refer to, is not as it was:
// of every type, with units, grants, renamed and deleted records, and the metadata types that rule over what is changed, or
// would if they were there. For a plan of what a document changes of its base, the state to be found is that which the
// base makes.

const domain = oneDomain()

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
const CREATIONS: { readonly [id: string]: JsonObject } = {
  'metadataTypes/SERVICE/extra': { entityType: 'SERVICE', key: 'extra', dataType: 'UUID' },
  'characteristicServiceLinks/heat/room': { characteristicCode: 'heat', serviceCode: 'room' },
  'dataSources/table': { code: 'table', name: 'Else' },
}
const OTHERS = [
  'characteristics/light',
  'characteristicServiceLinks/light/room',
  'metadataTypes/ORGANIZATION_UNIT/rank',
]

const DOINGS: readonly Doing[] = [
  ...Object.keys(CREATIONS).map((id): Doing => ({ kind: 'create', id })),
  ...[...CHANGEABLE, ...GRANT_IDS, ...OTHERS].flatMap((id): Doing[] => {
    const isChangeable = UPDATES[typeOf(id)] !== undefined
    return [{ kind: 'delete', id }, ...(isChangeable ? [{ kind: 'update' as const, id }] : [])]
  }),
]

function typeOf(id: string): RecordTypeName {
  return id.slice(0, id.indexOf('/')) as RecordTypeName
}

/** It may be impossible, and then nothing is done. */
async function act({ kind, id }: Doing): Promise<void> {
  const [type, key] = [typeOf(id), id.slice(id.indexOf('/') + 1)]
  const allow = ['deletes-data'] as const
  const doing =
    kind === 'delete'
      ? deleteRecord(domain(), type, key, allow)
      : kind === 'update'
        ? updateRecord(domain(), type, key, UPDATES[type] ?? {}, allow)
        : createRecord(domain(), type, CREATIONS[id] ?? {}, allow)
  await doing.catch((error: unknown) => {
    if (!(error instanceof HoldfastError)) throw error
  })
}

/** The ids of what a change refers to, told by its key and body. */
function referredBy({ type, key, after }: Change): string[] {
  const [first = '', second = '', third = '', , within] = key.split('/')
  const rules = (entity: string) =>
    ((after?.['metadataKeyValueStore'] ?? []) as { key: string }[]).map((item) => `metadataTypes/${entity}/${item.key}`)
  if (type === 'characteristicServiceLinks') return [`characteristics/${first}`, `services/${second}`]
  if (type === 'serviceComponentModelLinks') return [`services/${first}`, `componentModels/${second}`]
  if (type === 'services') return rules('SERVICE')
  if (type === 'users') return ['organizations/acme']
  if (type === 'organizations') return second === '' ? [] : [`organizations/${first}`, ...rules('ORGANIZATION_UNIT')]
  if (type !== 'access') return []
  return [`${second}s/${third}`, ...(within === undefined ? [] : [`organizations/${within.replace('~1', '/')}`])]
}

const at = ({ type, key, from = key }: Change) => `${type}/${from}`
const to = ({ type, key }: Change) => `${type}/${key}`
const differs = (id: string, one: LiveModel, other: LiveModel) => one.digests.get(id) !== other.digests.get(id)

interface States {
  /** When the plan was made. */
  readonly planned: LiveModel
  /** What the plan rests on. */
  readonly expected: LiveModel
  readonly now: LiveModel
}

/**
 * What somebody else has made already is no concern of the plan any more, unless it only looks so because something is as
 * it was before what waits.
 */
function isOutOfDate(reviewed: Plan, { planned, expected, now }: States): boolean {
  const changes = allChanges(reviewed)
  const open = changes.filter((change) => !isDone(change, now, keyedDigest(domain())))
  if (open.length === 0) return false
  const touched = new Set(changes.flatMap((change) => [at(change), to(change)]))
  const referred = changes.filter(({ after }) => after !== null).flatMap(referredBy)
  const concerned = [...open.flatMap((one) => [at(one), to(one)]), ...referred.filter((id) => !touched.has(id))]
  if (concerned.some((id) => differs(id, expected, now))) return true
  if ([...touched].some((id) => differs(id, planned, expected) && !differs(id, planned, now))) return true
  const leaving = open.filter(({ action }) => action === 'delete' || action === 'move').map(at)
  return [...now.references].some(([from, refers]) => !touched.has(from) && refers.some((id) => leaving.includes(id)))
}

const version = fc.constantFrom(1 as const, 2 as const)
const edits = fc.record({
  changed: fc.dictionary(fc.constantFrom(...CHANGEABLE), version, { minKeys: 0, maxKeys: 3 }),
  gone: fc.subarray([...DISPENSABLE], { maxLength: 1 }),
  renamed: fc.subarray([...RENAMABLE], { maxLength: 1 }),
  granted: fc.subarray([...GRANT_IDS]),
})
/** What edits refer to without changing it. */
const REFERENCES: { readonly [id: string]: readonly string[] } = {
  'characteristicServiceLinks/heat/room': ['characteristics/heat', 'services/room'],
  'serviceComponentModelLinks/room/sensor': ['services/room', 'componentModels/sensor'],
  'services/room': ['metadataTypes/SERVICE/rank', 'metadataTypes/SERVICE/extra'],
  'organizations/acme/eg': ['organizations/acme', 'metadataTypes/ORGANIZATION_UNIT/rank'],
  'users/ada@example.org': ['organizations/acme'],
}

/** As often as not it concerns the plan. */
function doingBeside({ changed, gone, renamed }: Edits): fc.Arbitrary<Doing> {
  const ids = [...Object.keys(changed), ...gone, ...renamed].flatMap((id) => [id, ...(REFERENCES[id] ?? [])])
  const near = DOINGS.filter(({ id }) => ids.includes(id))
  const any = fc.constantFrom(...DOINGS)
  return near.length === 0 ? any : fc.oneof(any, fc.constantFrom(...near))
}

const scene = edits.chain((own) =>
  fc.record({
    own: fc.constant(own),
    /** What was merged before, and waits or not; null for a plan of everything. */
    base: fc.option(edits, { freq: 2 }),
    isApplied: fc.constantFrom('before', 'meanwhile', 'never'),
    doing: fc.option(doingBeside(own), { freq: 4 }),
    /** Somebody applies the same document in another way. */
    isDoneByOthers: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  }),
)

interface Reviewed {
  readonly plan: Plan
  readonly document: JsonObject
  readonly settings: Settings
}

async function review(whole: Edits, base: Edits | null): Promise<Reviewed> {
  const [document, decided] = [documentOf(whole), settingsOf(whole)]
  const make = async (settings: Settings): Promise<Plan> => {
    if (base === null) return plan(domain(), document, settings)
    const sent = { document: differenceOf(document, documentOf(base)), settings: settingsOf(base) }
    return validPlan((await planImport(domain(), document, settings, READS_ALL, { base: sent })).plan)
  }
  const settings = acknowledging(await make(decided), decided)
  return { plan: await make(settings), document, settings }
}

const applyEdits = (all: Edits) => applyAll(domain(), documentOf(all), settingsOf(all))

/** The state that a document would make of the present one. */
async function stateAfter(all: Edits): Promise<LiveModel> {
  const made = await plan(domain(), documentOf(all), settingsOf(all))
  return afterPlan({ ...made, changes: allChanges(made) }, await readLiveModel(domain()), keyedDigest(domain()))
}

it(
  'an apply is refused as STALE_PLAN if and only if something that the plan touches or refers to has changed',
  async () => {
    const outcomes = { 'STALE_PLAN whole': 0, 'applied whole': 0, 'STALE_PLAN own': 0, 'applied own': 0 }
    await fc.assert(
      fc.asyncProperty(scene, async ({ own, base: merged, isApplied, doing, isDoneByOthers }) => {
        await applyEdits(AS_IT_WAS)
        const base = merged && together(AS_IT_WAS, merged)
        const whole = base === null ? own : together(base, own)
        if (base !== null && isApplied === 'before') await applyEdits(base)
        const planned = await readLiveModel(domain())
        const expected = base === null ? planned : await stateAfter(base)
        const { plan: reviewed, ...rest } = await review(whole, base)
        if (base !== null && isApplied === 'meanwhile') await applyEdits(base)
        if (isDoneByOthers) await applyEdits(whole)
        if (doing !== null) await act(doing)
        const now = await readLiveModel(domain())
        const outcome = await applyImport(domain(), { ...rest, plan: reviewed, origin: {} }).then(
          () => 'applied' as const,
          (error: HoldfastError) => error.code,
        )
        expect(outcome).toBe(isOutOfDate(reviewed, { planned, expected, now }) ? 'STALE_PLAN' : 'applied')
        outcomes[`${outcome as 'applied' | 'STALE_PLAN'} ${base === null ? 'whole' : 'own'}`] += 1
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    if (RUNS < 100) return
    process.stderr.write(`${JSON.stringify(outcomes)}\n`)
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(RUNS / 20)
  },
  TIMEOUT,
)
