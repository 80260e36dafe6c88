import { makePlan, type PlanResult } from '../plan/make-plan.ts'
import { readDomain } from '../store/domains.ts'
import type { DomainContext } from './domain-context.ts'
import { liveDomain } from './live-domain.ts'
import { readImport, readSettings } from './read-import.ts'

/** Plans an import document against a snapshot of the domain. Writes nothing: the transaction is read-only. */
export async function planImport(context: DomainContext, document: unknown, settings: unknown): Promise<PlanResult> {
  const decisions = readSettings(settings)
  return readDomain(context.database, context.domain.id, async (sql) => {
    const live = liveDomain(sql, context)
    const reading = await readImport(sql, context.domain.id, document, decisions.access, live)
    return makePlan(reading, live, decisions)
  })
}
