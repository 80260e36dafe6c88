import type { DocumentReading } from '../documents/read-document.ts'
import type { Snapshot } from '../documents/snapshot.ts'
import { hasErrors, type Diagnostic } from '../lib/diagnostic.ts'
import { ACCESS, type RecordKey } from '../records/record-type.ts'
import type { Settings } from '../records/settings.ts'
import { compareDigests } from './compare.ts'
import { planDeletions, stillReferenced } from './deletions.ts'
import { dataQuestions, liveKey, recordsInUse } from './data-questions.ts'
import { desiredDigests } from './desired-digests.ts'
import { draftChanges, fetchBodies, onlyDrafts, type Draft } from './draft-changes.ts'
import {
  danglingExternals,
  incompleteRecords,
  invalidMerges,
  refersAfter,
  reservedKeys,
  unresolvedSecrets,
} from './findings.ts'
import { grantedPlaces, touchesPlaces, type GrantedPlaces } from './changes-access.ts'
import { driftBelow, driftedRecords, openRecords, type DriftBelow } from './field-drift.ts'
import type { KeptDrift } from './kept-drift.ts'
import { grantsAfter, NO_GRANTS } from './grants-after.ts'
import { Guards } from './guards.ts'
import { lastAdministrator, mayEndAdministration } from './last-administrator.ts'
import { likelyMoves } from './likely-moves.ts'
import { idOf, type LiveIndex, type LiveState } from './live-state.ts'
import { metadataConflicts } from './metadata-conflicts.ts'
import { planMoves } from './moves.ts'
import { notCompared } from './not-compared.ts'
import { planDigest } from './plan-digest.ts'
import {
  allChanges,
  allRows,
  type AccessPlan,
  type Change,
  type Impact,
  type NotCompared,
  type Outcome,
  type Plan,
  type ScopeRow,
  type Summary,
} from './plan.ts'
import { referencedRecords } from './plan-references.ts'
import { pointersInto, type Pointers } from './pointers.ts'
import { scopeRows, type BareScopeRow } from './scope.ts'
import { movesInVain, unmatchedProtections, unusedAcknowledgements } from './settings-findings.ts'
import { NO_ANSWERS, type DataAnswers, type DataQuestion } from './stored-data.ts'
import { findWidening, mayWiden, type Widening } from './widening.ts'

/** A plan, and where in the import document its changes come from, by `type/key`. */
export interface PlanResult {
  readonly plan: Plan
  readonly pointers: ReadonlyMap<string, string>
  /** Records that the document wants otherwise, and that were not asked for. */
  readonly leftAlone: readonly RecordKey[]
  /** What an apply would leave undecided of what somebody changed on the platform. */
  readonly keptDrift: readonly KeptDrift[]
  /** Where the plan makes, moves or deletes organizations or units. */
  readonly grantedPlaces: GrantedPlaces
}

/** A plan but for what the data behind the records says; that may take long, and may be asked elsewhere. */
export interface PreparedPlan {
  readonly questions: readonly DataQuestion[]
  finish(answers: DataAnswers): PlanResult
}

/**
 * Computes what must happen on the platform so that it is as the document says. Writes nothing. The reading must be
 * free of errors. The number of questions to `live` does not depend on the number of records. `only` leaves out all
 * changes but those of the records named: what else there is to do is not the business of a plan made earlier.
 */
export async function makePlan(
  reading: DocumentReading,
  live: LiveState,
  settings: Settings,
  only?: readonly RecordKey[],
): Promise<PlanResult> {
  const { questions, finish } = await preparePlan(reading, live, settings, only)
  return finish(questions.length === 0 ? NO_ANSWERS : ((await live.data?.(questions)) ?? NO_ANSWERS))
}

export async function preparePlan(
  reading: DocumentReading,
  live: LiveState,
  settings: Settings,
  only?: readonly RecordKey[],
): Promise<PreparedPlan> {
  const { snapshot } = reading
  const index = await live.index()
  const moves = await planMoves(settings.moved, snapshot, index, live)
  const desired = await desiredDigests(snapshot, moves, live)
  const work = compareDigests(snapshot, desired, index, moves)
  const deletions = await planDeletions(work.surplus, index, live, moves)
  const drifted = driftedRecords(snapshot, index, moves)
  const bodies = await fetchBodies({ moves, work, deletions }, openRecords(drifted), live)
  const all = draftChanges({ snapshot, index, moves, desired, work, deletions }, bodies)
  const drafts = only === undefined ? all : onlyDrafts(all, only)
  const concerns = drafts === all ? () => true : membership(drafts)
  const guards = new Guards(settings, index)
  const grants = needsGrants(drafts) ? await grantsAfter(drafts, index, live) : NO_GRANTS
  const impacts = await live.impact(recordsInUse(drafts))
  const pointers = pointersInto(snapshot)
  const found = [
    ...reading.diagnostics,
    ...danglingExternals(
      reading.external.filter(({ from }) => concerns(from)),
      index,
    ),
    ...moves.diagnostics,
    ...invalidMerges(drafts, pointers),
    ...incompleteRecords(drafts, pointers),
    ...(await metadataConflicts(drafts, reading.metadata, live, pointers)),
    ...stillReferenced(deletions.filter(concerns), refersAfter(drafts)),
    ...unresolvedSecrets(drafts, pointers),
    ...reservedKeys(drafts, settings.moved, index, pointers),
    ...(mayEndAdministration(drafts) ? await lastAdministrator(drafts, grants, live) : []),
    ...likelyMoves(drafts, pointers),
  ]
  const leftAlone = all.filter((draft) => !concerns(draft)).map(({ type, key }) => ({ type, key }))
  const isLeftAlone = membership(leftAlone)
  const uncompared = notCompared(snapshot, desired, index, all)
  const drift = driftBelow(drifted, all, bodies, desired)
  const finish = (answers: DataAnswers): PlanResult => {
    const changes = guardedChanges(drafts, { impacts, answers, widening: findWidening(drafts, grants) }, guards)
    const scope = guardedScope(scopeRows(snapshot, index, settings.isPartial), changes, guards)
    const diagnostics = [
      ...found,
      ...movesInVain(moves.taken, deletions, changes),
      ...unmatchedProtections(settings, snapshot, index, live),
      ...unusedAcknowledgements(guards.unused(), changes),
    ]
    return {
      plan: assemble({ live, snapshot, index, scope, changes, diagnostics, uncompared, drift }),
      // For those who show the plan: an apply never asks.
      get pointers() {
        return pointersOf(changes, pointers)
      },
      leftAlone,
      keptDrift: drift.kept.filter((record) => !isLeftAlone(record)),
      grantedPlaces: grantedPlaces(grants),
    }
  }
  return { questions: dataQuestions(drafts, impacts, (change, code) => guards.isOpen(change, code)), finish }
}

function needsGrants(drafts: readonly Draft[]): boolean {
  return mayWiden(drafts) || mayEndAdministration(drafts) || touchesPlaces(drafts)
}

function membership(records: readonly RecordKey[]): (record: RecordKey) => boolean {
  const members = new Set(records.map(idOf))
  return (record) => members.has(idOf(record))
}

interface Costs {
  readonly impacts: ReadonlyMap<string, Impact>
  readonly answers: DataAnswers
  readonly widening: Widening
}

/** With what hangs on the records that change, and which guards that trips. */
function guardedChanges(drafts: readonly Draft[], costs: Costs, guards: Guards): Change[] {
  return drafts.map((draft) => {
    const id = idOf(liveKey(draft))
    const answer = costs.answers.get(id)
    const counted = (draft.action === 'create' ? undefined : costs.impacts.get(id)) ?? NO_IMPACT
    const impact = answer === undefined ? counted : withPoints(counted, answer.points)
    const bare = draft.because === undefined ? draft : withoutReasons(draft)
    return { ...bare, impact, guards: guards.forChange(draft, impact, answer, costs.widening.get(idOf(draft))) }
  })
}

/** Those that the data itself counted. */
function withPoints({ datapoints: _, ...others }: Impact, points: number): Impact {
  return points === 0 ? others : { ...others, datapoints: points }
}

function withoutReasons({ because: _, ...bare }: Draft): Omit<Draft, 'because'> {
  return bare
}

const NO_IMPACT: Impact = {}

function guardedScope(rows: readonly BareScopeRow[], changes: readonly Change[], guards: Guards): ScopeRow[] {
  const deletions = Map.groupBy(
    changes.filter(({ action }) => action === 'delete'),
    ({ type }) => type,
  )
  return rows.map((row) => {
    const deleted = deletions.get(row.type) ?? []
    const asked = deleted.filter(({ reason }) => reason === undefined).length
    return { ...row, guards: guards.forScope(row, { total: deleted.length, asked }) }
  })
}

/** All that is known when the last question is answered. */
interface Findings {
  readonly live: Pick<LiveState, 'domain' | 'keyedDigest'>
  readonly snapshot: Snapshot
  readonly index: LiveIndex
  readonly scope: readonly ScopeRow[]
  readonly changes: readonly Change[]
  readonly diagnostics: readonly Diagnostic[]
  readonly uncompared: readonly NotCompared[]
  readonly drift: DriftBelow
}

function assemble({ live, snapshot, index, scope, changes, diagnostics, uncompared, drift }: Findings): Plan {
  const parts = apart(scope, changes)
  return {
    formatVersion: 1,
    domain: live.domain,
    digest: planDigest(live.domain, parts.scope, parts.changes, parts.access, live.keyedDigest),
    outcome: outcomeOf({ ...parts, diagnostics }),
    summary: summarise(parts.changes, parts.scope, snapshot, uncompared.length),
    ...parts,
    references: referencedRecords(changes, index),
    diagnostics,
    ...(uncompared.length > 0 && { notCompared: uncompared }),
    ...(drift.fields.length > 0 && { drift: drift.fields }),
    ...(drift.settles && { settlesDrift: true }),
  }
}

/** Grants are planned with everything else and shown apart. */
function apart(scope: readonly ScopeRow[], changes: readonly Change[]): Pick<Plan, 'scope' | 'changes' | 'access'> {
  const row = scope.find(({ type }) => type === ACCESS)
  if (row === undefined) throw new Error('the scope has no row for access')
  // They come last, so where the last change is of something else there are none.
  const hasGrants = changes.at(-1)?.type === ACCESS
  return {
    scope: scope.filter((one) => one !== row),
    changes: hasGrants ? changes.filter(({ type }) => type !== ACCESS) : changes,
    access: accessPlan(row, hasGrants ? changes.filter(({ type }) => type === ACCESS) : []),
  }
}

function accessPlan({ state, previously, desired, actual, guards }: ScopeRow, changes: readonly Change[]): AccessPlan {
  return { state, previously, desired, actual, guards, changes }
}

/** Blocked: an apply would refuse it. A type that leaves the scope is a change too, though no record is touched. */
export function outcomeOf(plan: Pick<Plan, 'scope' | 'changes' | 'access' | 'diagnostics'>): Outcome {
  const { diagnostics } = plan
  const [scope, changes] = [allRows(plan), allChanges(plan)]
  if (hasErrors(diagnostics) || scope.some(isStopped) || changes.some(isStopped)) return 'blocked'
  return changes.length > 0 || scope.some(({ state }) => state === 'released') ? 'changes' : 'no-changes'
}

function isStopped({ guards }: ScopeRow | Change): boolean {
  return guards.some(({ acknowledged }) => !acknowledged)
}

function summarise(
  changes: readonly Change[],
  scope: readonly ScopeRow[],
  snapshot: Snapshot,
  uncompared: number,
): Summary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  const wanted = scope.reduce((total, { desired }) => total + desired, 0)
  const touched = changes.filter(
    ({ type, key, action, after }) =>
      action === 'create' || (after !== null && snapshot.get(type)?.records.has(key) === true),
  ).length
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    move: count('move'),
    unchanged: wanted - touched - uncompared,
    ...(uncompared > 0 && { notCompared: uncompared }),
    unmanagedTypes: scope.filter(
      ({ state, owners }) => state === 'unmanaged' || (state === 'released' && owners === undefined),
    ).length,
  }
}

function pointersOf(changes: readonly Change[], pointers: Pointers): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const change of changes) {
    const pointer = pointers.of(change)
    if (pointer !== undefined) found.set(idOf(change), pointer)
  }
  return found
}
