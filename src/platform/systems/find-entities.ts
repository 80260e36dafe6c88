import type { Sql } from '../../db/sql.ts'
import { textLength } from '../../lib/text-length.ts'
import type { Entity } from '../../records/entity.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchBytes, fetchEntities } from '../../store/entities.ts'
import { AnswerBudget } from '../answer-budget.ts'
import type { AccessContext } from '../access/access-context.ts'
import { reaches, type Reach } from './reach.ts'

interface Row {
  readonly uuid?: unknown
  readonly unitUuid?: string | null
}

/** Finds the entities among these that the actor may see. Their texts count towards the answer. */
export async function findEntities<Found extends Row = Row>(
  { database, domain, budget = new AnswerBudget() }: Pick<AccessContext, 'database' | 'domain' | 'budget'>,
  actor: Reach,
  entity: Entity,
  uuids: readonly string[],
  fetch: (sql: Sql, domainId: number, uuids: readonly string[]) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  const found = await readDomain(database, domain.id, async (sql) => {
    budget.check(await fetchBytes(sql, domain.id, entity, uuids))
    return fetch(sql, domain.id, uuids)
  })
  const visible = found.filter((row) => isVisible(actor, entity, row))
  budget.take(textLength(visible))
  return visible
}

function isVisible(actor: Reach, { system }: Entity, row: Row): boolean {
  const { unitUuid = null }: Row = row
  return system === null || reaches(actor, { systemUuid: String(Reflect.get(row, system)), unitUuid })
}

/** Finds entities that are shown as they are stored. */
export function findPlainEntities(
  context: Pick<AccessContext, 'database' | 'domain' | 'budget'>,
  actor: Reach,
  entity: Entity,
  uuids: readonly string[],
): Promise<readonly Row[]> {
  return findEntities(context, actor, entity, uuids, (sql, domainId) =>
    fetchEntities<Entity>(sql, domainId, entity, uuids),
  )
}
