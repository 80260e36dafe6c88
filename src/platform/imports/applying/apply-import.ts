import type { Sql } from '../../../db/sql.ts'
import type { SourcePosition } from '../../../lib/diagnostic.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { LiveState } from '../../../plan/live-state.ts'
import { recordId } from '../../../records/record-id.ts'
import { withKeyedDigests } from '../../../plan/keyed-digests.ts'
import { makePlan, type PlanResult } from '../../../plan/make-plan.ts'
import { keptByRollback } from '../../../plan/compare/kept-drift.ts'
import { allChanges, type Change, type Plan } from '../../../plan/plan.ts'
import { ACCESS } from '../../../records/record-type.ts'
import { ownerName } from '../../../records/type-owner.ts'
import { withMoves, type Settings } from '../../../records/settings.ts'
import { insertApplyChanges, packChanges, type ApplyChangeRow } from '../../../store/model/apply-changes.ts'
import { readDomain } from '../../../store/domains.ts'
import { fetchApply } from '../../../store/model/applies.ts'
import { fetchRecords, type IdentifiedRecord } from '../../../store/model/records.ts'
import { toApply, type Apply } from '../history/applies.ts'
import type { ApplyReading } from './apply-reading.ts'
import type { ApplyOrigin } from './apply-origin.ts'
import type { SeenApplies } from './later-changes.ts'
import { lostWith } from './lost-data.ts'
import { assertApplicable } from '../planning/applicable.ts'
import { lookingFirst, REHEARSAL, type EarlierLook } from '../../datapoints/redefining/look-first.ts'
import { changeDomain } from '../../change-domain.ts'
import type { DomainContext } from '../../domain-context.ts'
import { hashingFirst, type HashingContext } from '../../hash-first.ts'
import { keyedDigest, liveDomain } from '../planning/live-domain.ts'
import { plannerOf } from '../planning/planner.ts'
import { prepareChanges } from './prepare-changes.ts'
import { readImport, readSettings } from '../planning/read-import.ts'
import { memoryOf } from './memory-after.ts'
import { needsRehearsal } from './needs-rehearsal.ts'
import { recordApply, withoutNulls } from './record-apply.ts'
import { refuseAccessChanges } from './refuse-access-changes.ts'
import { readReviewedPlan, sourcesOf, type ReviewedPlan } from '../../../plan/reviewed/reviewed-plan.ts'
import {
  hasOtherAccess,
  staleRecords,
  staleReferences,
  type StaleRecord,
} from '../../../plan/reviewed/stale-records.ts'
import {
  remainingChanges,
  stillWaiting,
  WAITS,
  type RemainingChanges,
} from '../../../plan/reviewed/remaining-changes.ts'
import { keepUnrecorded, requireSameRequest } from './require-same-request.ts'
import { rollbackReading } from './roll-back.ts'
import { finishChanges, writeExisting, writeNew, type PreparedChanges } from './write-changes.ts'

export interface ApplyRequest {
  readonly document: unknown
  readonly settings: unknown
  readonly plan: unknown
  readonly origin: ApplyOrigin
  /** See `planImport`. */
  readonly isPartial?: boolean
  /** The digest of the sent text, if the request may be sent again with the same `applyId`. */
  readonly textDigest?: Uint8Array
}

/**
 * Makes exactly the changes of the reviewed plan, or none, in one transaction under the domain's lock. The plan is
 * computed again from the document. Its changes of the reviewed records must equal the reviewed ones; changes of other
 * records do not matter. A repeated request with the same id gets the first result.
 */
export function applyImport(context: DomainContext, request: ApplyRequest): Promise<Apply> {
  return hashingFirst(context, (hashing) => applyHashing(hashing, request))
}

async function applyHashing(context: HashingContext, request: ApplyRequest): Promise<Apply> {
  const settings = readSettings(request.settings, request.isPartial)
  const reviewed = readReviewedPlan(request.plan, context.domain.slug)
  const uuid = request.origin.applyId ?? context.newId()
  const isRollback = Boolean(request.origin.rollbackOf)
  const seen: SeenApplies = new Map()
  /** Plans the changes again, without making them. */
  const prepare = async (sql: Sql, earlier: EarlierLook) => {
    const done = await fetchApply(sql, context.domain.id, uuid)
    if (done !== null) return { result: firstResult(toApply(done), reviewed) }
    const planner = await plannerOf(sql, context, { folder: request.origin.folder ?? null, settings })
    const live = liveDomain(sql, context, { planner, isRollback }, earlier)
    const digests = await referencedDigests(sql, context, reviewed)
    const remain = async () => remainingChanges(reviewed, await live.index(), keyedDigest(context))
    // For a whole document, the database reads the index while the server reads the document.
    const part = reviewed.own === undefined ? null : await remain()
    if (part !== null && isDone(reviewed, part)) return { result: nothingToDo(context, uuid, request, reviewed, part) }
    const waiting = staleness(stillWaiting(reviewed, digests))
    if (waiting !== null) throw waiting
    const reading = await readRequest(sql, context, request, settings, live, seen).catch((error: unknown) => {
      // The document may only be invalid because a record that it refers to was renamed.
      throw staleness(staleReferences(reviewed, digests)) ?? error
    })
    const remaining = part ?? (await remain())
    const planned = await planAgain(context, { reading, reviewed, remaining, settings, live, digests })
    return { planner, live, reading, remaining, planned }
  }
  const apply = async (sql: Sql, earlier: EarlierLook): Promise<Apply> => {
    const { textDigest } = request
    const before = textDigest && (await requireSameRequest(sql, context, uuid, textDigest))
    if (before) return firstResult(before, reviewed)
    const ready = await prepare(sql, earlier)
    if (ready.result !== undefined) return ready.result
    const { planner, live, reading, remaining, planned } = ready
    const { plan, leftAlone } = planned
    const changes = allChanges(plan)
    const memory = await live.memory()
    const memoryAfter = reading.memoryAfter ?? memoryOf(plan, memory, planner, reviewed.own?.scope)
    // A rollback may change which types are managed although its plan does not show it.
    const isManagedOtherwise = memory.managed.get(ACCESS) !== memoryAfter.managed.get(ACCESS)
    refuseAccessChanges(context, planned, isManagedOtherwise)
    const prepared = await prepareChanges(sql, context, uuid, reading, changes)
    const existing = await writeExisting(sql, context, changes, prepared)
    // The history is packed while PostgreSQL works on the new records.
    const [, history] = await Promise.all([
      writeNew(sql, context, changes, prepared),
      packChanges(historyOf(changes, prepared, existing, sourcesOf(reviewed))),
    ])
    await insertApplyChanges(sql, context.domain.id, uuid, history)
    const made = await recordApply(sql, context, {
      uuid,
      plan,
      done: remaining.done,
      digest: reviewed.digest,
      origin: { ...request.origin, ...(planner && { owner: ownerName(planner) }) },
      memory,
      memoryAfter,
      takesNoType: isRollback || planner === null,
      leftAlone,
      keptDrift: isRollback ? keptByRollback(changes, await live.index()) : planned.keptDrift,
    })
    if (textDigest && !made.recorded) await keepUnrecorded(sql, context, made, textDigest)
    await finishChanges(sql, context, changes, prepared, () => live.lookAgain())
    return made
  }
  const { database, domain } = context
  // A rollback searches later applies before it takes the lock. Under the lock, it only searches newer ones.
  return lookingFirst(context, isRollback || (await needsRehearsal(context, reviewed)), {
    change: (earlier) => changeDomain(context, (sql) => apply(sql, earlier)),
    rehearse: () => readDomain(database, domain.id, (sql) => prepare(sql, REHEARSAL)),
  })
}

function readRequest(
  sql: Sql,
  context: DomainContext,
  { document, origin }: ApplyRequest,
  { access }: Settings,
  live: LiveState,
  seen: SeenApplies,
): Promise<ApplyReading> {
  return origin.rollbackOf
    ? rollbackReading(sql, context, origin.rollbackOf, seen)
    : readImport(sql, context.domain.id, document, access, live)
}

function firstResult(apply: Apply, reviewed: ReviewedPlan): Apply {
  if (apply.planDigest === reviewed.digest) return apply
  throw new HoldfastError(
    'CONFLICT',
    `the apply ${apply.uuid} was made with another plan (${apply.planDigest}); use a new id for a new apply`,
  )
}

interface Replanning {
  readonly reading: ApplyReading
  readonly reviewed: ReviewedPlan
  readonly remaining: RemainingChanges
  readonly settings: Settings
  readonly live: LiveState
  /** The digests of the records that the reviewed plan refers to, in the format of plans. */
  readonly digests: ReadonlyMap<string, string>
}

async function referencedDigests(
  sql: Sql,
  context: DomainContext,
  { references, own }: ReviewedPlan,
): Promise<ReadonlyMap<string, string>> {
  const keyed = keyedDigest(context)
  const waitedFor = (own?.waitsFor ?? []).map(({ type, key, from = key }) => ({ type, key: from }))
  const referenced = await fetchRecords(sql, context.domain.id, [...references, ...waitedFor])
  return new Map(referenced.map((record) => [recordId(record), keyed(record.digest)]))
}

async function planAgain(context: DomainContext, work: Replanning): Promise<PlanResult> {
  const { reading, reviewed, remaining, settings, live } = work
  let isFirst = true
  // Guards that need no data are checked first. Later all guards are checked with the data.
  const check = ({ plan }: PlanResult): void => {
    if (isFirst) requireReviewed(plan, context, work)
    isFirst = false
    assertApplicable(plan, context)
  }
  const part = {
    check,
    ...(remaining.changes && { only: remaining.changes }),
    ...(reviewed.own && { scope: reviewed.own.scope }),
  }
  const result = await makePlan(reading, live, withMoves(settings, reading.moved ?? []), part)
  check(result)
  return result
}

/** Refuses a plan that differs from the reviewed one. */
function requireReviewed(plan: Plan, context: DomainContext, { reviewed, remaining, digests }: Replanning): void {
  const now = withKeyedDigests(plan, keyedDigest(context))
  const stale = staleness(staleRecords(reviewed, now, digests, remaining.changes))
  if (stale !== null) throw stale
  if (hasOtherAccess(reviewed, plan)) throw otherAccess(plan)
}

/** Tells whether all changes of a part of a document are made already, so that even the document does not matter. */
function isDone({ own }: ReviewedPlan, { changes, done, dropped }: RemainingChanges): boolean {
  return own?.scope.length === 0 && changes?.length === 0 && done + dropped > 0
}

function nothingToDo(
  context: DomainContext,
  uuid: string,
  { origin: { applyId: _, ...origin } }: ApplyRequest,
  { digest }: ReviewedPlan,
  { done }: RemainingChanges,
): Apply {
  const at = { uuid, at: context.now(), actor: context.actorName }
  const summary = { create: 0, update: 0, delete: 0, move: 0, unchanged: 0, unmanagedTypes: 0, done }
  return {
    ...at,
    origin: withoutNulls(origin),
    planDigest: digest,
    summary,
    scope: {},
    recorded: false,
    notManaged: [],
  }
}

function staleness(stale: readonly StaleRecord[]): HoldfastError | null {
  if (stale.length === 0) return null
  if (stale.every(({ code }) => code === WAITS)) return waits(stale)
  const message = `the platform has changed since the plan was made: ${stale.length} record${stale.length === 1 ? ' is' : 's are'} not as the plan saw ${stale.length === 1 ? 'it' : 'them'}; plan again`
  return new HoldfastError('STALE_PLAN', message, { details: stale })
}

function otherAccess({ access: { diff } }: PlanResult['plan']): HoldfastError {
  const details = (diff?.changes ?? []).filter(({ gains }) => gains.length > 0)
  const message = `the platform has changed since the plan was made: the access that it gives differs from the reviewed one; nothing was changed; plan again`
  return new HoldfastError('STALE_PLAN', message, { details })
}

function waits(details: readonly StaleRecord[]): HoldfastError {
  const message = `the plan depends on ${details.length === 1 ? 'a change that waits' : `${details.length} changes that wait`} to be applied; nothing was changed: apply the earlier merges first, then this plan`
  return new HoldfastError('STALE_PLAN', message, { details })
}

function* historyOf(
  changes: readonly Change[],
  { uuids: created }: PreparedChanges,
  existing: readonly IdentifiedRecord[],
  sources: ReadonlyMap<string, SourcePosition>,
): Generator<ApplyChangeRow & Pick<Change, 'patch'>> {
  const uuids = new Map(existing.map((record) => [recordId(record), record.uuid]))
  for (const change of changes) {
    const { type, key, from = null, action, cause, patch, before, after } = change
    const uuid = created.get(change) ?? uuids.get(recordId({ type, key: from ?? key }))
    if (uuid === undefined)
      throw new HoldfastError('INTERNAL', `${recordId({ type, key })} was changed and does not exist`)
    const [source, lost] = [sources.get(recordId(change)), lostWith(change)]
    yield {
      type,
      key,
      uuid,
      from,
      action,
      cause,
      patch,
      before,
      after,
      ...(lost && { lost }),
      ...(source && { source }),
    }
  }
}
