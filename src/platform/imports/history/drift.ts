import { byTypeAndKey } from '../../../plan/compare/draft-changes.ts'
import type { Author } from '../../../plan/plan.ts'
import { recordId } from '../../../records/record-id.ts'
import { fetchManagedTypes, readDomain } from '../../../store/domains.ts'
import { packChanges, type ApplyChangeRow } from '../../../store/model/apply-changes.ts'
import { countDrift, fetchDrift, measureDrift, type DriftCount, type DriftRow } from '../../../store/model/drift.ts'
import { fetchRecords, type StoredRecord } from '../../../store/model/records.ts'
import { AnswerBudget } from '../../answer-budget.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { ChangeList } from './change-list.ts'
import { packedChangeList } from '../planning/packed-plan.ts'

/** A record that differs from its state after the last apply. */
interface DriftedRecord extends ApplyChangeRow {
  readonly drift: Author
}

/**
 * Lists the present differences from the last apply, as changes from its state to the present state. People may have
 * changed a whole model, so too much is refused before it is read.
 */
export async function driftList({ database, domain, budget = new AnswerBudget() }: DomainContext): Promise<ChangeList> {
  const drifted = await readDomain(database, domain.id, async (sql) => {
    budget.check(await measureDrift(sql, domain.id))
    const [rows, managed] = [await fetchDrift(sql, domain.id), await fetchManagedTypes(sql, domain.id)]
    const expected = rows.filter(({ type }) => managed.has(type))
    const records = await fetchRecords(sql, domain.id, expected)
    const live = new Map(records.map((record) => [recordId(record), record]))
    return expected.flatMap((row) => toChange(row, live.get(recordId(row))))
  })
  return packedChangeList(await packChanges(drifted.sort(byTypeAndKey)))
}

function toChange({ type, key, base, actor, changedAt }: DriftRow, now: StoredRecord | undefined): DriftedRecord[] {
  const after = now?.body ?? null
  if (base === null && after === null) return []
  const action = base === null ? 'create' : after === null ? 'delete' : 'update'
  const drift = { actor, at: changedAt.toISOString() }
  return [{ type, key, uuid: now?.uuid ?? '', from: null, action, cause: 'drift', before: base, after, drift }]
}

const MOST_COUNTED = 1_000

/** The amount of drift. It needs few statements and reads few rows, even if there is much drift. */
export function driftCount({ database, domain }: DomainContext): Promise<DriftCount> {
  return readDomain(database, domain.id, async (sql) => {
    const managed = await fetchManagedTypes(sql, domain.id)
    return countDrift(sql, domain.id, [...managed.keys()], MOST_COUNTED)
  })
}
