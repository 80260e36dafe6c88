import type { DocumentReading } from '../documents/read/read-document.ts'
import { ACCESS, type RecordKey, type RecordTypeName } from '../records/record-type.ts'
import type { Acknowledgement, Settings } from '../records/settings.ts'
import { assemblePlan } from './assemble-plan.ts'
import { grantedUnits, touchesUnits, type GrantedUnits } from './guards/access-changes.ts'
import { clientBreaks } from './breaks/client-breaks.ts'
import { compareModels, type ComparedModels, notCompared } from './compare/compare-models.ts'
import { dataQuestions, recordsInUse } from './guards/data-questions.ts'
import { liveKey, onlyDrafts, type Draft } from './compare/draft-changes.ts'
import { driftElsewhere, driftBelow } from './compare/field-drift.ts'
import { findProblems } from './findings/find-problems.ts'
import { accessDiff, mayChangeAccess, NOTHING_READ, readAccess, isFirstAccess } from './access/access-diff.ts'
import { grantsAfter, NO_GRANTS } from './access/grants-after.ts'
import { guardId, Guards, type UnusedAcknowledgement } from './guards/guards.ts'
import type { KeptDrift } from './compare/kept-drift.ts'
import { mayEndAdministration } from './guards/last-administrator.ts'
import type { LiveIndex, LiveState } from './live-state.ts'
import { recordId, membership } from '../records/record-id.ts'
import {
  afterBase,
  isChangedRecord,
  ownDrafts,
  ownPart,
  type AfterBase,
  type Base,
  type LeftBeside,
} from './own/own-part.ts'
import { byKeyNow, keysNow } from './own/as-if-applied.ts'
import type { AccessDiff, Change, Impact, Plan, ScopeRow } from './plan.ts'
import { pointersInto, type Pointers } from './pointers.ts'
import { scopeRows, type BareScopeRow } from './scope.ts'
import { movesInVain, unmatchedProtections, unusedAcknowledgements } from './findings/settings-findings.ts'
import { NO_ANSWERS, type DataAnswers, type DataQuestion } from './guards/stored-data.ts'

/** A plan, with the JSON Pointers of its changes into the import document, by `type/key`. */
export interface PlanResult {
  readonly plan: Plan
  readonly pointers: ReadonlyMap<string, string>
  /** Records that differ from the document but were not asked for, by the keys that they have now. */
  readonly leftAlone: readonly RecordKey[]
  /** The drift that an apply would leave undecided. */
  readonly keptDrift: readonly KeptDrift[]
  /** The organizations and units with grants; filled only if the plan creates, moves or deletes some. */
  readonly grantedUnits: GrantedUnits
}

/** A plan that lacks only the answers of the stored data. These may take long, and come from another process. */
export interface PreparedPlan {
  readonly questions: readonly DataQuestion[]
  finish(answers: DataAnswers): PlanResult
}

/** Restricts a plan to a part of the changes of its document. */
interface Part {
  /** Restricts the plan to the changes of these records and those that follow from them, as in an earlier plan. */
  readonly only?: readonly RecordKey[]
  /** The record types whose management may change; left out for all. */
  readonly scope?: readonly RecordTypeName[]
  /** The changes that the document makes to this base. */
  readonly base?: Base
  /** Can refuse the plan before its guards about data are known, so that no data is read for it. */
  readonly check?: (planned: PlanResult) => void
}

/**
 * Computes the changes that make the platform equal to the document, and writes nothing. The reading must be free of
 * errors. The number of questions to `live` does not depend on the number of records. `part` restricts the changes.
 */
export async function makePlan(
  reading: DocumentReading,
  live: LiveState,
  settings: Settings,
  part?: Part,
): Promise<PlanResult> {
  const { questions, finish } = await preparePlan(reading, live, settings, part)
  return finish((await live.data?.(questions)) ?? NO_ANSWERS)
}

export async function preparePlan(
  reading: DocumentReading,
  platform: LiveState,
  settings: Settings,
  { only, scope: ownScope, base, check }: Part = {},
): Promise<PreparedPlan> {
  const after = base === undefined ? undefined : await afterBase(base, platform, settings.isPartial)
  const live = after?.live ?? platform
  const compared = await compareModels(reading.snapshot, live, settings.moved)
  const { snapshot, index, moves, deletions, all } = compared
  const named = only === undefined ? all : onlyDrafts(all, only)
  const drafts = after === undefined ? named : ownDrafts(named, after)
  const guards = new Guards(settings, index, base?.acknowledge)
  const grants = needsGrants(drafts) ? await grantsAfter(drafts, index, live) : NO_GRANTS
  const isAccess = mayChangeAccess(drafts)
  const access = isAccess ? await readAccess(drafts, grants, live) : NOTHING_READ
  const pointers = pointersInto(snapshot)
  const problems = await findProblems(reading, compared, { drafts, grants, pointers }, live, settings.moved)
  const breaks = platform.onlyGuards === true ? null : await clientBreaks(drafts, live)
  const { leftAlone, uncompared, drift, keptDrift, beside } = besideChanges(compared, drafts, base)
  const finish = (answers: DataAnswers, impacts: ReadonlyMap<string, Impact>): PlanResult => {
    const changes = guardedChanges(drafts, { impacts, answers, overwritten: reading.overwritten }, guards)
    const rows = scopeRows(snapshot, index, settings.isPartial).map((row) =>
      withLiveCount(asBefore(row, ownScope), after?.index ?? index),
    )
    const diff = isAccess ? accessDiff(drafts, grants, access, live.keyedDigest) : null
    const widening = diff === null || isFirstAccess(index, grants) ? null : diff
    const scope = guardedScope(rows, changes, guards, widening)
    const diagnostics = [
      ...problems,
      ...movesInVain(moves.taken, deletions, changes),
      ...unmatchedProtections(settings, snapshot, index, live),
      ...unusedAcknowledgements(unusedHere(guards.unused(), after, base), changes),
    ]
    const own = after && ((...of: [Plan['references'], readonly ScopeRow[]]) => ownPart(after, drafts, beside, ...of))
    return {
      plan: assemblePlan({
        live,
        snapshot,
        index,
        scope,
        changes,
        diff,
        diagnostics,
        uncompared,
        drift,
        breaks,
        ownPart: own,
      }),
      // Computed on demand: showing the plan needs the pointers, and an apply does not.
      get pointers() {
        return pointersOf(changes, pointers)
      },
      leftAlone,
      keptDrift,
      grantedUnits: grantedUnits(grants),
    }
  }
  const inUse = recordsInUse(drafts, live.onlyGuards)
  if (inUse.length > 0) check?.(finish(NO_ANSWERS, new Map()))
  const impacts = await live.impact(inUse)
  const questions = dataQuestions(drafts, impacts, (change, code) => guards.isOpen(change, code))
  // Waiting changes are not on the platform yet, so the data is asked by the present keys.
  const { asked, restored } = byKeyNow(questions, keysNow(after?.waiting ?? []))
  return { questions: asked, finish: (answers) => finish(restored(answers), impacts) }
}

/** A row of a type whose management is left as it was. */
function asBefore(row: BareScopeRow, scope: readonly RecordTypeName[] | undefined): BareScopeRow {
  if (scope === undefined || scope.includes(row.type)) return row
  if (row.previously === null) return { ...row, state: 'unmanaged' }
  return row.state === 'emptied' || row.state === 'released' ? { ...row, state: 'managed' } : row
}

/** The index has the present records. The row counts as if the waiting changes were applied. */
function withLiveCount(row: BareScopeRow, { digests }: LiveIndex): BareScopeRow {
  const live = digests.get(row.type)?.size ?? 0
  return live === row.actual ? row : { ...row, live }
}

/** An acknowledgement of the base may belong to a waiting change. */
function unusedHere(
  unused: readonly UnusedAcknowledgement[],
  after: Pick<AfterBase, 'waiting'> | undefined,
  base: Base | undefined,
): readonly UnusedAcknowledgement[] {
  if (base === undefined || after?.waiting.length === 0) return unused
  const ofBase = new Set(base.acknowledge.map(withoutDigest))
  return unused.filter((one) => !ofBase.has(withoutDigest(one)))
}

function withoutDigest({ code, type, key }: Acknowledgement): string {
  return guardId({ code, type, key })
}

function needsGrants(drafts: readonly Draft[]): boolean {
  return mayChangeAccess(drafts) || mayEndAdministration(drafts) || touchesUnits(drafts)
}

/** Collects a plan's facts apart from its changes, and the records and the drift that an apply must not touch. */
function besideChanges(
  { snapshot, index, desired, drifted, bodies, all }: ComparedModels,
  drafts: readonly Draft[],
  base: Base | undefined,
) {
  const isPlanned = membership(drafts)
  const leftAlone = drafts === all ? [] : all.filter((draft) => !isPlanned(draft))
  const isLeftAlone = membership(leftAlone)
  const isOwn = base === undefined ? () => true : (record: RecordKey) => isChangedRecord(record, snapshot, base)
  const drift = driftBelow(drifted, all, bodies, desired)
  const kept = [...drift.kept, ...driftElsewhere(snapshot, index, all)]
  const uncompared = Map.groupBy(notCompared(snapshot, desired, index, all), isOwn)
  const fields = Map.groupBy(drift.fields, isOwn)
  return {
    leftAlone: leftAlone.map(liveKey),
    uncompared: uncompared.get(true) ?? [],
    drift: { ...drift, fields: fields.get(true) ?? [] },
    keptDrift: kept.filter((record) => !isLeftAlone(record)),
    beside: leftBeside([...leftAlone, ...(fields.get(false) ?? [])], uncompared.get(false) ?? []),
  }
}

function leftBeside(drifted: readonly RecordKey[], uncompared: readonly RecordKey[]): LeftBeside {
  const count = new Set(drifted.map(recordId)).size
  return { drifted: count, ...(uncompared.length > 0 && { notCompared: uncompared.length }) }
}

interface Costs {
  readonly impacts: ReadonlyMap<string, Impact>
  readonly answers: DataAnswers
  readonly overwritten: DocumentReading['overwritten']
}

/** Adds to each change its impact and the guards that stop it. */
function guardedChanges(drafts: readonly Draft[], costs: Costs, guards: Guards): Change[] {
  return drafts.map((draft) => {
    const id = recordId(liveKey(draft))
    const answer = costs.answers.get(id)
    const counted = (draft.action === 'create' ? undefined : costs.impacts.get(id)) ?? NO_IMPACT
    const impact = answer === undefined ? counted : withPoints(counted, answer.points)
    const bare = draft.because === undefined ? draft : withoutReasons(draft)
    return {
      ...bare,
      impact,
      guards: guards.forChange(draft, impact, answer, costs.overwritten?.get(id)),
    }
  })
}

/** Replaces the number of datapoints in the impact by the number that was counted from the data itself. */
function withPoints({ datapoints: _, ...others }: Impact, points: number): Impact {
  return points === 0 ? others : { ...others, datapoints: points }
}

function withoutReasons({ because: _, ...bare }: Draft): Omit<Draft, 'because'> {
  return bare
}

const NO_IMPACT: Impact = {}

function guardedScope(
  rows: readonly BareScopeRow[],
  changes: readonly Change[],
  guards: Guards,
  widening: AccessDiff | null,
): ScopeRow[] {
  const byType = Map.groupBy(changes, ({ type }) => type)
  return rows.map((row) => {
    const changed = byType.get(row.type) ?? []
    const deleted = changed.filter(({ action }) => action === 'delete')
    const asked = deleted.filter(({ reason }) => reason === undefined).length
    const ofRow = guards.forScope(row, { total: deleted.length, asked, changes: changed.length })
    return { ...row, guards: row.type === ACCESS ? [...ofRow, ...guards.forAccess(widening)] : ofRow }
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
