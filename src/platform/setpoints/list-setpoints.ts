import { readDomain } from '../../store/domains.ts'
import { SETPOINT } from '../../records/entities/setpoint.ts'
import type { EntityFilterOf } from '../../records/entity.ts'
import { countEntities, fetchEntityPage } from '../../store/entity-pages.ts'
import { fetchSetpoints, setpointsMeant, type SetpointFilter } from '../../store/setpoints/setpoints.ts'
import type { DomainContext } from '../domain-context.ts'
import { readAnyInstant } from '../systems/event-times.ts'
import { reaches, withinReach, type Reach } from '../systems/reach.ts'
import { pageOf, type Page, type PageRequest } from '../page.ts'
import { toSetpoint, type Setpoint } from './setpoint.ts'

/** Null where there is none, or none that the actor may see. */
export async function findSetpoint(
  { database, domain, now }: DomainContext,
  actor: Reach,
  uuid: string,
): Promise<Setpoint | null> {
  const [found] = await readDomain(database, domain.id, (sql) => fetchSetpoints(sql, domain.id, [uuid], now()))
  return found !== undefined && reaches(actor, found) ? toSetpoint(found) : null
}

export interface SetpointPageRequest extends PageRequest {
  readonly isOldestFirst: boolean
}

/** Lists setpoints in the actor's reach, by the time when they were made. */
export async function listSetpoints(
  { database, domain, now }: DomainContext,
  actor: Reach,
  { from, to, ...query }: EntityFilterOf<'Setpoint'>,
  { first, after, isOldestFirst, mostCounted }: SetpointPageRequest,
): Promise<Page<Setpoint>> {
  const filter: SetpointFilter = {
    ...withinReach(actor, query),
    ...(from !== undefined && { from: readAnyInstant(from, 'from') }),
    ...(to !== undefined && { to: readAnyInstant(to, 'to') }),
  }
  const order = { by: 'created_at', isDescending: !isOldestFirst } as const
  return readDomain(database, domain.id, async (sql) => {
    const meant = setpointsMeant(filter, now())
    const found = await fetchEntityPage(sql, domain.id, SETPOINT, meant, {
      first: first + 1,
      after,
      ...order,
    })
    const total = await countEntities(sql, domain.id, SETPOINT, meant, mostCounted)
    const page = pageOf(found, first, total)
    return { ...page, items: page.items.map(toSetpoint) }
  })
}
