import type { Sql } from '../db/sql.ts'
import { textLength } from '../lib/text-length.ts'
import type { Entity } from '../records/entity.ts'
import { readDomain } from '../store/domains.ts'
import { fetchBytes } from '../store/entities.ts'
import { AnswerBudget } from './answer-budget.ts'
import type { DomainContext } from './domain-context.ts'

/** Rows that are read without a look at their size first: as many as a page has. */
const FEW = 1_000

/** How entities are read, and which of them the actor may see. */
interface Finding<Row> {
  readonly entity: Entity
  fetch(sql: Sql, domainId: number, uuids: readonly string[]): Promise<readonly Row[]>
  isVisible(row: Row): boolean
}

/** Finds the entities among these that the actor may see. Their texts count towards the answer. */
export async function findVisible<Row>(
  { database, domain, budget = new AnswerBudget() }: Pick<DomainContext, 'database' | 'domain' | 'budget'>,
  uuids: readonly string[],
  { entity, fetch, isVisible }: Finding<Row>,
): Promise<readonly Row[]> {
  const found = await readDomain(database, domain.id, async (sql) => {
    if (uuids.length > FEW) budget.check(await fetchBytes(sql, domain.id, entity, uuids))
    return fetch(sql, domain.id, uuids)
  })
  const visible = found.filter((row) => isVisible(row))
  budget.take(textLength(visible))
  return visible
}
