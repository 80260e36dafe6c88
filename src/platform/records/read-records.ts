import type { RecordTypeName } from '../../records/record-type.ts'
import { PLANNED_TYPES } from '../../records/registry.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { readDomain } from '../../store/domains.ts'
import {
  countRecords,
  fetchRecordPage,
  fetchRecordsNamed,
  type NamedBy,
  type RecordQuery,
} from '../../store/model/record-pages.ts'
import { fetchRecords, type StoredRecord } from '../../store/model/records.ts'
import { AnswerBudget } from '../answer-budget.ts'
import type { DomainContext } from '../domain-context.ts'
import { itemsOf, pageOf, type Page } from '../paging.ts'
import type { Reach } from '../systems/reach.ts'

export async function listRecords(
  { database, domain, budget = new AnswerBudget() }: DomainContext,
  actor: Reach,
  type: RecordTypeName,
  query: RecordQuery,
): Promise<Page<StoredRecord>> {
  const filter = { ...query.filter, around: visibleRecords(actor, type) ?? query.filter.around }
  return readDomain(database, domain.id, async (sql) => {
    const records = await fetchRecordPage(sql, domain.id, type, { ...query, filter }, budget)
    // If the first page holds all records, its length is the count.
    const isWhole = query.after === null && records.length <= query.first
    const total = isWhole ? records.length : await countRecords(sql, domain.id, type, { ...query, filter })
    return pageOf(records, query.first, total)
  })
}

export async function findRecord(
  { database, domain, budget = new AnswerBudget() }: DomainContext,
  actor: Reach,
  type: RecordTypeName,
  key: string,
): Promise<StoredRecord | null> {
  const around = visibleRecords(actor, type)
  const [record] = await readDomain(database, domain.id, async (sql) =>
    around === undefined
      ? fetchRecords(sql, domain.id, [{ type, key }])
      : itemsOf(await fetchRecordPage(sql, domain.id, type, { ...ONE, filter: { keys: [key], around } }, budget)),
  )
  return record ?? null
}

/** Finds the records of a type, or with a uuid of any type, among these that the actor may see. */
export async function findRecords(
  { database, domain, budget = new AnswerBudget() }: DomainContext,
  actor: Reach,
  type: RecordTypeName | null,
  named: Pick<NamedBy, 'by' | 'names'>,
): Promise<readonly StoredRecord[]> {
  const around = type === null ? (actor.units ?? undefined) : visibleRecords(actor, type)
  return readDomain(database, domain.id, (sql) => fetchRecordsNamed(sql, domain.id, type, { ...named, around }, budget))
}

const ONE = { first: 1, order: { by: 'KEY', direction: 'ASC' }, after: null } as const

/**
 * Hides organizations, units and users outside of the units in which the actor has a role. These units and their users
 * are visible. The rest of the model is visible to everyone. Undefined if all records are visible.
 */
export function visibleRecords({ units }: Reach, type: RecordTypeName): readonly string[] | undefined {
  return HIDDEN_TYPES.includes(type) ? (units ?? undefined) : undefined
}

/** The types that are only partly visible to an actor with a role within organizations. */
export const HIDDEN_TYPES: readonly RecordTypeName[] = PLANNED_TYPES.flatMap(({ name, signsIn }) =>
  name === DATA_TYPES.unit || signsIn === 'person' ? [name] : [],
)
