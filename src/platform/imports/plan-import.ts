import { preparePlan, type PlanResult, type PreparedPlan } from '../../plan/make-plan.ts'
import { withKeyedDigests } from '../../plan/keyed-digests.ts'
import type { LiveState } from '../../plan/live-state.ts'
import { withhold, type Reader } from '../../plan/withhold.ts'
import type { Snapshot } from '../../documents/snapshot.ts'
import { readDomain } from '../../store/domains.ts'
import { askData } from '../datapoints/redefining/ask-data.ts'
import type { DomainContext } from '../domain-context.ts'
import { keyedDigest, liveDomain } from './live-domain.ts'
import { readImport, readSettings } from './read-import.ts'

export const READS_ALL: Reader = { readsModel: true, readsData: true }

/**
 * Plans an import document against a snapshot of the domain. Writes nothing: its transactions are read-only. What the
 * data behind the records says is asked after the one, so that looking at much data holds up nothing. `isPartial`:
 * whether the import is only of what the document has; left out: where it comes without settings.
 */
export async function planImport(
  context: DomainContext,
  document: unknown,
  settings: unknown,
  reader: Reader = READS_ALL,
  isPartial?: boolean,
): Promise<PlanResult> {
  const decisions = readSettings(settings, isPartial)
  const { live, prepared, snapshot } = await readDomain(context.database, context.domain.id, async (sql) => {
    const live = liveDomain(sql, context)
    const reading = await readImport(sql, context.domain.id, document, decisions.access, live)
    return { live, prepared: await preparePlan(reading, live, decisions), snapshot: reading.snapshot }
  })
  return showPlan(context, await finishPlan(context, prepared), live, reader, snapshot)
}

/** Outside of the transaction in which it was prepared. */
export async function finishPlan(context: DomainContext, { questions, finish }: PreparedPlan): Promise<PlanResult> {
  return finish(await askData(context, questions))
}

/** A plan for its reader; `described`: what the reader knows because they have written it, null where that is nothing. */
export async function showPlan(
  context: DomainContext,
  result: PlanResult,
  live: LiveState,
  reader: Reader,
  described: Snapshot | null,
): Promise<PlanResult> {
  const { digests } = await live.index()
  const plan = withhold(withKeyedDigests(result.plan, keyedDigest(context)), reader, {
    isNamed: ({ type, key }) => described?.get(type)?.records.has(key) === true,
    // Whoever did not write the document knows none of those whom it would bring back either.
    lives: ({ type, key }) => described === null || digests.get(type)?.has(key) === true,
  })
  const { leftAlone, keptDrift, grantedPlaces } = result
  return { plan, pointers: result.pointers, leftAlone, keptDrift, grantedPlaces }
}
