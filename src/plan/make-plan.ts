import type { DocumentReading } from '../documents/read/read-document.ts'
import type { RecordKey } from '../records/record-type.ts'
import type { Settings } from '../records/settings.ts'
import { assemblePlan } from './assemble-plan.ts'
import { grantedPlaces, touchesPlaces, type GrantedPlaces } from './guards/changes-access.ts'
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

/** A plan, and where in the import document its changes come from, by `type/key`. */
export interface PlanResult {
  readonly plan: Plan
  readonly pointers: ReadonlyMap<string, string>
  /** Records that the document wants otherwise, and that were not asked for; by the keys that they have now. */
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
      // For those who show the plan: an apply never asks.
      get pointers() {
        return pointersOf(changes, pointers)
      },
      leftAlone,
      keptDrift,
      grantedPlaces: grantedPlaces(grants),
    }
  }
  return { questions: dataQuestions(drafts, impacts, (change, code) => guards.isOpen(change, code)), finish }
}

function needsGrants(drafts: readonly Draft[]): boolean {
  return mayWiden(drafts) || mayEndAdministration(drafts) || touchesPlaces(drafts)
}

/** What a plan says beside its changes, and what an apply of these must leave as it is. */
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

/** With what hangs on the records that change, and which guards that trips. */
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

/** The impact with the datapoints that the data itself counted. */
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
