import { isReplaced } from '../../../plan/plan.ts'
import { reviewedChanges, type ReviewedChange, type ReviewedPlan } from '../../../plan/reviewed/reviewed-plan.ts'
import type { RecordKey } from '../../../records/record-type.ts'
import { recordType } from '../../../records/registry.ts'
import { haveSeries } from '../../../store/datapoints/points/stored-values.ts'
import { readDomain } from '../../../store/domains.ts'
import { haveSystems, mayHaveData } from '../../../store/datapoints/points/impact.ts'
import type { HashingContext } from '../../hash-first.ts'

/**
 * Tells whether an apply plans without the lock first, because it probably needs hashes of passwords or questions about
 * data. It has questions if it deletes records with data, or redefines stored values.
 */
export async function needsRehearsal(
  { database, domain, hashes }: HashingContext,
  reviewed: ReviewedPlan,
): Promise<boolean> {
  const changes = reviewedChanges(reviewed) ?? []
  if (hashes.isEmpty && changes.some(setsPassword)) return true
  const isDeleted = changes.some(({ type, action }) => action === 'delete' && mayHaveData(type))
  const redefined = changes
    .filter(({ type, action }) => (action === 'update' || action === 'move') && recordType(type).narrows !== undefined)
    .map(({ type, key, from }): RecordKey => ({ type, key: from ?? key }))
  if (!isDeleted && redefined.length === 0) return false
  return readDomain(database, domain.id, (sql) =>
    isDeleted ? haveSystems(sql, domain.id) : haveSeries(sql, domain.id, redefined),
  )
}

function setsPassword({ type, secret }: ReviewedChange): boolean {
  return recordType(type).secretKind === 'password' && isReplaced(secret) && secret !== 'generated'
}
