import { readDomain } from '../../store/domains.ts'
import { isUuid } from '../../lib/uuid.ts'
import { SETPOINT } from '../../records/entities.ts'
import type { EntityFilterOf } from '../../records/entity.ts'
import { countEntities, fetchEntityPage } from '../../store/entity-pages.ts'
import type { Sql } from '../../db/sql.ts'
import {
  fetchSetpoints,
  setpointsMeant,
  type SetpointFilter,
  type SetpointRow,
} from '../../store/setpoints/setpoints.ts'
import { fetchUuidsOfKeys } from '../../store/systems/named-filters.ts'
import { AnswerBudget } from '../answer-budget.ts'
import type { DomainContext } from '../domain-context.ts'
import { readAnyInstant } from '../systems/event-times.ts'
import { reaches, withinReach, type Reach } from '../systems/reach.ts'
import { pageOf, type Page, type PageRequest } from '../paging.ts'
import { bytesOf, toSetpoints, withValues, type Setpoint } from './setpoint.ts'

/** Finds the setpoints among these that the actor may see. */
export async function findSetpoints(
  { database, domain, now, budget = new AnswerBudget() }: DomainContext,
  actor: Reach,
  uuids: readonly string[],
): Promise<readonly Setpoint[]> {
  return readDomain(database, domain.id, async (sql) => {
    const found = await fetchSetpoints(sql, domain.id, uuids, now())
    const visible = found.filter((one) => reaches(actor, one))
    return readValues(sql, domain.id, visible, budget)
  })
}

/** Null if there is none, or none that the actor may see. */
export async function findSetpoint(context: DomainContext, actor: Reach, uuid: string): Promise<Setpoint | null> {
  const [setpoint] = await findSetpoints(context, actor, [uuid])
  return setpoint ?? null
}

/** Counts all values before the long ones are read. */
async function readValues(
  sql: Sql,
  domainId: number,
  rows: readonly SetpointRow[],
  budget: AnswerBudget,
): Promise<Setpoint[]> {
  budget.take(bytesOf(rows))
  return toSetpoints(await withValues(sql, domainId, rows))
}

interface SetpointPageRequest extends PageRequest {
  readonly isOldestFirst: boolean
  /** A long value is replaced by its beginning, as a text. */
  readonly hasBeginnings?: boolean
}

/** Replaces the keys of services and characteristics in a filter by uuids. */
async function withUuids(sql: Sql, domainId: number, filter: SetpointFilter): Promise<SetpointFilter> {
  const { services = [], characteristics = [] } = filter
  if (services.length + characteristics.length === 0) return filter
  const found = await fetchUuidsOfKeys(sql, domainId, { services, characteristics })
  return {
    ...filter,
    services: filter.services && [...services.filter(isUuid), ...found.services],
    characteristics: filter.characteristics && [...characteristics.filter(isUuid), ...found.characteristics],
  }
}

/** Lists setpoints in the actor's reach, by the time when they were made. */
export async function listSetpoints(
  { database, domain, now, budget = new AnswerBudget() }: DomainContext,
  actor: Reach,
  { from, to, ...query }: EntityFilterOf<'Setpoint'>,
  { first, after, isOldestFirst, mostCounted, hasBeginnings = false }: SetpointPageRequest,
): Promise<Page<Setpoint>> {
  const filter: SetpointFilter = {
    ...withinReach(actor, query),
    ...(from !== undefined && { from: readAnyInstant(from, 'from') }),
    ...(to !== undefined && { to: readAnyInstant(to, 'to') }),
  }
  const order = { by: 'created_at', isDescending: !isOldestFirst } as const
  return readDomain(database, domain.id, async (sql) => {
    const meant = setpointsMeant(await withUuids(sql, domain.id, filter), now(), { hasBeginnings })
    const found = await fetchEntityPage(sql, domain.id, SETPOINT, meant, {
      first: first + 1,
      after,
      ...order,
    })
    const total = await countEntities(sql, domain.id, SETPOINT, meant, mostCounted)
    const page = pageOf(found, first, total)
    return { ...page, items: await readValues(sql, domain.id, page.items, budget) }
  })
}
