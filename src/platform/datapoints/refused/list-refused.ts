import { REFUSED_DATAPOINT } from '../../../records/entities.ts'
import type { EntityFilterOf, Stored } from '../../../records/entity.ts'
import { refusalsMeant } from '../../../store/datapoints/arriving/refused-datapoints.ts'
import { readDomain } from '../../../store/domains.ts'
import { countEntities, fetchEntityPage } from '../../../store/entity-pages.ts'
import type { DomainContext } from '../../domain-context.ts'
import { pageOf, type Page, type PageRequest } from '../../page.ts'
import { readAnyInstant } from '../../systems/event-times.ts'
import { withinReach, type Reach } from '../../systems/reach.ts'

export type RefusedDatapoint = Stored<typeof REFUSED_DATAPOINT>

/** Lists what was refused of the systems in the actor's reach, the latest first. */
export async function listRefusedDatapoints(
  { database, domain }: DomainContext,
  actor: Reach,
  { from, to, ...query }: EntityFilterOf<'RefusedDatapoint'>,
  { first, after, mostCounted }: PageRequest,
): Promise<Page<RefusedDatapoint>> {
  const meant = refusalsMeant({
    ...withinReach(actor, query),
    ...(from !== undefined && { from: readAnyInstant(from, 'from') }),
    ...(to !== undefined && { to: readAnyInstant(to, 'to') }),
  })
  return readDomain(database, domain.id, async (sql) => {
    const order = { first: first + 1, after, by: 'last_at', isDescending: true } as const
    const found = await fetchEntityPage(sql, domain.id, REFUSED_DATAPOINT, meant, order)
    const total = await countEntities(sql, domain.id, REFUSED_DATAPOINT, meant, mostCounted)
    const page = pageOf(found, first, total)
    return actor.units === null ? page : { ...page, items: page.items.map(withoutSender) }
  })
}

/** An actor with a role within an organization may not know of the account that has sent them. */
function withoutSender(refused: RefusedDatapoint): RefusedDatapoint {
  return { ...refused, sender: null }
}
