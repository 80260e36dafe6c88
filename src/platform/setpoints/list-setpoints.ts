import { readDomain } from '../../store/domains.ts'
import {
  countSetpoints,
  fetchSetpointPage,
  fetchSetpoints,
  type SetpointFilter,
  type SetpointPage,
} from '../../store/setpoints/setpoints.ts'
import type { DomainContext } from '../domain-context.ts'
import { readAnyInstant } from '../systems/event-times.ts'
import { reaches, withinReach, type Reach } from '../systems/reach.ts'
import { pageOf, type Page } from '../page.ts'
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

export interface SetpointQuery extends Omit<SetpointFilter, 'from' | 'to' | 'units'> {
  /** RFC 3339. */
  readonly from?: string
  readonly to?: string
}

/** Lists setpoints in the actor's reach, by the time when they were made. */
export async function listSetpoints(
  { database, domain, now }: DomainContext,
  actor: Reach,
  { from, to, ...query }: SetpointQuery,
  page: SetpointPage,
): Promise<Page<Setpoint>> {
  const filter: SetpointFilter = {
    ...withinReach(actor, query),
    ...(from !== undefined && { from: readAnyInstant(from, 'from') }),
    ...(to !== undefined && { to: readAnyInstant(to, 'to') }),
  }
  const { first } = page
  return readDomain(database, domain.id, async (sql) => {
    const moment = now()
    const found = await fetchSetpointPage(sql, domain.id, filter, { ...page, first: first + 1 }, moment)
    const total = await countSetpoints(sql, domain.id, filter, moment)
    return pageOf(found.map(toSetpoint), first, total)
  })
}
