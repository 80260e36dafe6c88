import { preparePlan, type PlanResult, type PreparedPlan } from '../../../plan/make-plan.ts'
import { withKeyedDigests } from '../../../plan/keyed-digests.ts'
import type { LiveState } from '../../../plan/live-state.ts'
import { withhold, type Reader } from '../../../plan/withhold.ts'
import type { Snapshot } from '../../../documents/snapshot.ts'
import { readDomain } from '../../../store/domains.ts'
import { askData } from '../../datapoints/redefining/ask-data.ts'
import type { DomainContext } from '../../domain-context.ts'
import { keyedDigest, liveDomain } from './live-domain.ts'
import type { ApplyOrigin } from '../applying/apply-origin.ts'
import { plannerOf } from './planner.ts'
import { readBase, WRONG_BASE } from './read-base.ts'
import { readImport, readSettings } from './read-import.ts'

export const READS_ALL: Reader = { readsModel: true, readsData: true }

export interface PlanScope {
  /**
   * Whether the import only concerns the types in the document; left out where that depends on whether it has settings.
   */
  readonly isPartial?: boolean
  /** The client's description of the base, of which this document is a change; then only the change is planned. */
  readonly base?: unknown
  /** Where the document comes from. */
  readonly origin?: Pick<ApplyOrigin, 'folder'>
}

/**
 * Plans an import document against a snapshot of the domain. It writes nothing, and its transactions are read-only.
 * Questions about stored data are answered in a second transaction, so that reading much data blocks nothing.
 */
export async function planImport(
  context: DomainContext,
  document: unknown,
  settings: unknown,
  reader: Reader = READS_ALL,
  { isPartial, base, origin = {} }: PlanScope = {},
): Promise<PlanResult> {
  const decisions = readSettings(settings, isPartial)
  const { live, prepared, described } = await readDomain(context.database, context.domain.id, async (sql) => {
    const planner = await plannerOf(sql, context, { folder: origin.folder ?? null, settings: decisions })
    const live = liveDomain(sql, context, { planner, isRollback: false })
    const reading = await readImport(sql, context.domain.id, document, decisions.access, live)
    const read = base === undefined ? undefined : await readBase(sql, context.domain.id, document, base)
    const found = read === null ? { ...reading, diagnostics: [WRONG_BASE, ...reading.diagnostics] } : reading
    const prepared = await preparePlan(found, live, decisions, read ? { base: read } : {})
    return { live, prepared, described: [reading.snapshot, ...(read ? [read.snapshot] : [])] }
  })
  return planForReader(context, await finishPlan(context, prepared), live, reader, described)
}

/** Finishes a plan outside of the transaction that prepared it. */
export async function finishPlan(context: DomainContext, { questions, finish }: PreparedPlan): Promise<PlanResult> {
  return finish(await askData(context, questions))
}

/**
 * Adapts a plan to its reader. `described` is what the reader knows by having written the documents; null where there
 * is none.
 */
export async function planForReader(
  context: DomainContext,
  result: PlanResult,
  live: LiveState,
  reader: Reader,
  described: readonly Snapshot[] | null,
): Promise<PlanResult> {
  const { digests } = await live.index()
  const plan = withhold(withKeyedDigests(result.plan, keyedDigest(context)), reader, {
    isNamed: ({ type, key }) => described?.some((snapshot) => snapshot.get(type)?.records.has(key)) === true,
    // A reader who did not write the document knows none of the people whom it would restore either.
    lives: ({ type, key }) => described === null || digests.get(type)?.has(key) === true,
  })
  const { leftAlone, keptDrift, grantedUnits } = result
  return { plan, pointers: result.pointers, leftAlone, keptDrift, grantedUnits }
}
