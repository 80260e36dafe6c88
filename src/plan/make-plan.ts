import type { DocumentReading } from '../documents/read/read-document.ts'
import type { RecordKey } from '../records/record-type.ts'
import type { Settings } from '../records/settings.ts'
import { assemblePlan } from './assemble-plan.ts'
import { grantedUnits, touchesUnits, type GrantedUnits } from './guards/changes-access.ts'
import { compareModels, type ComparedModels } from './compare/compare-models.ts'
import { dataQuestions, liveKey, recordsInUse } from './guards/data-questions.ts'
import { onlyDrafts, type Draft } from './compare/draft-changes.ts'
import { driftElsewhere } from './compare/drift-elsewhere.ts'
import { driftBelow } from './compare/field-drift.ts'
import { findProblems } from './findings/find-problems.ts'
import { grantsAfter, NO_GRANTS } from './guards/grants-after.ts'
import { Guards } from './guards/guards.ts'
import type { KeptDrift } from './compare/kept-drift.ts'
import { mayEndAdministration } from './guards/last-administrator.ts'
import type { LiveState } from './live-state.ts'
import { recordId, membership } from '../records/record-id.ts'
import { notCompared } from './compare/not-compared.ts'
import type { Change, Impact, Plan, ScopeRow } from './plan.ts'
import { pointersInto, type Pointers } from './pointers.ts'
import { scopeRows, type BareScopeRow } from './scope.ts'
import { movesInVain, unmatchedProtections, unusedAcknowledgements } from './findings/settings-findings.ts'
import { NO_ANSWERS, type DataAnswers, type DataQuestion } from './guards/stored-data.ts'
import { findWidening, mayWiden, type Widening } from './guards/widening.ts'

/** A plan, with the JSON Pointers of its changes into the import document, by `type/key`. */
export interface PlanResult {
  readonly plan: Plan
  readonly pointers: ReadonlyMap<string, string>
  /** Records that differ from the document but were not asked for, by the keys that they have now. */
  readonly leftAlone: readonly RecordKey[]
  /** The drift that an apply would leave undecided. */
  readonly keptDrift: readonly KeptDrift[]
  /** The organizations and units with grants; filled where the plan creates, moves or deletes some. */
  readonly grantedUnits: GrantedUnits
}

/**
 * A plan that only lacks the answers of the data behind the records. Those may take long, and another process may
 * give them.
 */
export interface PreparedPlan {
  readonly questions: readonly DataQuestion[]
  finish(answers: DataAnswers): PlanResult
}

/**
 * Computes the changes that make the platform equal to the document, and writes nothing. The reading must be free of
 * errors. The number of questions to `live` does not depend on the number of records. `only` restricts the changes to
 * the named records: a plan that was made earlier has nothing to do with other differences.
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
  const compared = await compareModels(reading.snapshot, live, settings.moved)
  const { snapshot, index, moves, deletions, all } = compared
  const drafts = only === undefined ? all : onlyDrafts(all, only)
  const guards = new Guards(settings, index)
  const grants = needsGrants(drafts) ? await grantsAfter(drafts, index, live) : NO_GRANTS
  const impacts = await live.impact(recordsInUse(drafts))
  const pointers = pointersInto(snapshot)
  const problems = await findProblems(reading, compared, { drafts, grants, pointers }, live, settings.moved)
  const { leftAlone, uncompared, drift, keptDrift } = besideChanges(compared, drafts)
  const finish = (answers: DataAnswers): PlanResult => {
    const changes = guardedChanges(drafts, { impacts, answers, widening: findWidening(drafts, grants) }, guards)
    const scope = guardedScope(scopeRows(snapshot, index, settings.isPartial), changes, guards)
    const diagnostics = [
      ...problems,
      ...movesInVain(moves.taken, deletions, changes),
      ...unmatchedProtections(settings, snapshot, index, live),
      ...unusedAcknowledgements(guards.unused(), changes),
    ]
    return {
      plan: assemblePlan({ live, snapshot, index, scope, changes, diagnostics, uncompared, drift }),
      // Computed on demand: those who show the plan need the pointers, and an apply does not.
      get pointers() {
        return pointersOf(changes, pointers)
      },
      leftAlone,
      keptDrift,
      grantedUnits: grantedUnits(grants),
    }
  }
  return { questions: dataQuestions(drafts, impacts, (change, code) => guards.isOpen(change, code)), finish }
}

function needsGrants(drafts: readonly Draft[]): boolean {
  return mayWiden(drafts) || mayEndAdministration(drafts) || touchesUnits(drafts)
}

/**
 * Collects what a plan tells beside its changes, and the records and the drift that an apply must leave as they are.
 */
function besideChanges({ snapshot, index, desired, drifted, bodies, all }: ComparedModels, drafts: readonly Draft[]) {
  const isPlanned = membership(drafts)
  const leftAlone = drafts === all ? [] : all.filter((draft) => !isPlanned(draft))
  const isLeftAlone = membership(leftAlone)
  const drift = driftBelow(drifted, all, bodies, desired)
  const kept = [...drift.kept, ...driftElsewhere(snapshot, index, all)]
  return {
    leftAlone: leftAlone.map(liveKey),
    uncompared: notCompared(snapshot, desired, index, all),
    drift,
    keptDrift: kept.filter((record) => !isLeftAlone(record)),
  }
}

interface Costs {
  readonly impacts: ReadonlyMap<string, Impact>
  readonly answers: DataAnswers
  readonly widening: Widening
}

/** Adds to each change its impact and the guards that stop it. */
function guardedChanges(drafts: readonly Draft[], costs: Costs, guards: Guards): Change[] {
  return drafts.map((draft) => {
    const id = recordId(liveKey(draft))
    const answer = costs.answers.get(id)
    const counted = (draft.action === 'create' ? undefined : costs.impacts.get(id)) ?? NO_IMPACT
    const impact = answer === undefined ? counted : withPoints(counted, answer.points)
    const bare = draft.because === undefined ? draft : withoutReasons(draft)
    return { ...bare, impact, guards: guards.forChange(draft, impact, answer, costs.widening.get(recordId(draft))) }
  })
}

/** Replaces the number of datapoints in the impact by the one that the data itself counted. */
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

function pointersOf(changes: readonly Change[], pointers: Pointers): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const change of changes) {
    const pointer = pointers.of(change)
    if (pointer !== undefined) found.set(recordId(change), pointer)
  }
  return found
}
