import type { Snapshot } from '../../documents/snapshot.ts'
import { membership, recordId } from '../../records/record-id.ts'
import { referencesOf } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { Settings } from '../../records/settings.ts'
import { compareModels } from '../compare/compare-models.ts'
import { type Draft, liveKey } from '../compare/draft-changes.ts'
import type { LiveIndex, LiveState } from '../live-state.ts'
import { takesOwnership, type OwnPart, type PlanReference, type ScopeRow, type WaitingRecord } from '../plan.ts'
import { scopeAfter, scopeRows, type BareScopeRow } from '../scope.ts'
import { asIfApplied } from './as-if-applied.ts'

// A pull request's own part is its changes against its target branch, even if the platform lacks some changes of that
// branch (docs/decisions/0044). So it is planned against the platform as it will be after all waiting changes are
// applied.

/** The document that another one changes, such as the models of the target branch. */
export interface Base {
  readonly snapshot: Snapshot
  readonly moved: Settings['moved']
  readonly acknowledge: Settings['acknowledge']
}

export interface AfterBase {
  readonly live: LiveState
  /** Changes that the base has and the platform lacks. */
  readonly waiting: readonly Draft[]
  /** Changes on the platform that the base would revert. */
  readonly drifted: readonly Draft[]
  /** The present state of the platform. */
  readonly index: LiveIndex
}

/** The platform after the waiting changes of the base. Drift stays, because it belongs to no plan. */
export async function afterBase(base: Base, live: LiveState, isPartial?: boolean): Promise<AfterBase> {
  const { snapshot, index, desired, all } = await compareModels(base.snapshot, live, base.moved)
  const drifted = all.filter(({ cause }) => cause === 'drift')
  const waiting = drifted.length === 0 ? all : all.filter(({ cause }) => cause !== 'drift')
  const managed = new Map(index.managed)
  const others = index.others && new Map(index.others)
  for (const row of scopeRows(snapshot, index, isPartial)) {
    const state = scopeAfter(row)
    if (state === null) managed.delete(row.type)
    else managed.set(row.type, state)
    if (row.state !== 'unmanaged' && isGiven(row, base)) others?.delete(row.type)
  }
  return { live: asIfApplied(live, { drafts: waiting, managed, others, desired }), waiting, drifted, index }
}

/** Tells whether the base may manage a type: no other owner has it, or the base takes it over. */
function isGiven({ type, managedBy }: BareScopeRow, { acknowledge }: Base): boolean {
  return managedBy === undefined || acknowledge.some((one) => one.code === 'takes-ownership' && one.type === type)
}

/** Leaves out the drafts that the base would make in the same way, because they would revert drift. */
export function ownDrafts(drafts: readonly Draft[], { drifted }: Pick<AfterBase, 'drifted'>): readonly Draft[] {
  const asInBase = new Map(drifted.map((draft) => [recordId(draft), draft]))
  const isOwn = (draft: Draft) => {
    const other = asInBase.get(recordId(draft))
    return other?.action !== draft.action || other.afterDigest !== draft.afterDigest || other.from !== draft.from
  }
  const own = new Set(drafts.filter(isOwn).map(recordId))
  // Records that are deleted because of a record of this part belong to the part, too.
  for (let size = -1; size !== own.size;) {
    size = own.size
    for (const draft of drafts) if (draft.because?.some((id) => own.has(id))) own.add(recordId(draft))
  }
  return drafts.filter((draft) => own.has(recordId(draft)))
}

/** Tells whether a document and its base describe a record differently. */
export function isChangedRecord({ type, key }: RecordKey, snapshot: Snapshot, { snapshot: base }: Base): boolean {
  const [record, other] = [snapshot, base].map((one) => one.get(type)?.records.get(key))
  return record?.digest !== other?.digest || String(record?.untouched) !== String(other?.untouched)
}

/**
 * Counts the changes that the platform has already and the base does not have. Either they were applied after the
 * base was made, or they undo changes of the base that were never applied. The records look the same in both cases,
 * so both count as changes. A change of a secret cannot be detected.
 */
function countMade({ waiting, index }: AfterBase, drafts: readonly Draft[]): number {
  if (waiting.length === 0) return 0
  const isOtherwiseInBase = membership(waiting.flatMap((draft) => [draft, liveKey(draft)]))
  const isMade = (draft: Draft): boolean => {
    const keys = index.digests.get(draft.type)
    const from = liveKey(draft).key
    if ((keys?.get(draft.key) ?? null) !== draft.afterDigest || draft.secret === 'changed') return false
    return from === draft.key || keys?.has(from) !== true
  }
  return drafts.filter((draft) => isOtherwiseInBase(draft) && isMade(draft)).length
}

/** If more changes wait, the others are only counted. */
const MOST_NAMED = 100

/** Differences between the platform and the documents that are not part of the plan. */
export type LeftBeside = Pick<OwnPart, 'drifted' | 'notCompared'>

export function ownPart(
  after: AfterBase,
  drafts: readonly Draft[],
  beside: LeftBeside,
  references: readonly PlanReference[],
  scope: readonly ScopeRow[],
): OwnPart {
  const { waiting } = after
  const made = countMade(after, drafts)
  return {
    scope: scope.filter((row) => scopeAfter(row) !== row.previously || takesOwnership(row)).map(({ type }) => type),
    waiting: { count: waiting.length, records: waiting.slice(0, MOST_NAMED).map(nameOf) },
    waitsFor: waitsFor(waiting, drafts, references).map((draft) => ({ ...nameOf(draft), digest: draft.beforeDigest })),
    ...beside,
    ...(made > 0 && { done: made }),
  }
}

function nameOf({ type, key, from, action }: Draft): Omit<WaitingRecord, 'digest'> {
  return { type, key, ...(from !== undefined && { from }), action }
}

/** The waiting changes of records that drafts change or refer to, or that refer to what drafts delete or move. */
function waitsFor(
  waiting: readonly Draft[],
  drafts: readonly Draft[],
  references: readonly PlanReference[],
): readonly Draft[] {
  if (waiting.length === 0 || drafts.length === 0) return []
  const touched = new Set([...drafts, ...drafts.map(liveKey), ...references].map(recordId))
  const leaving = new Set(drafts.filter(isLeaving).map((draft) => recordId(liveKey(draft))))
  const needs = ({ type, key, before, after }: Draft) =>
    [before, after].some((body) => body !== null && referencesOf(recordType(type), key, body).some(isLeft))
  const isLeft = (record: RecordKey) => leaving.has(recordId(record))
  return waiting.filter(
    (draft) =>
      touched.has(recordId(draft)) || touched.has(recordId(liveKey(draft))) || (leaving.size > 0 && needs(draft)),
  )
}

function isLeaving({ action }: Draft): boolean {
  return action === 'delete' || action === 'move'
}
