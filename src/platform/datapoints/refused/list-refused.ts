import { REFUSED_DATAPOINT } from '../../../records/entities.ts'
import type { EntityFilterOf, Stored } from '../../../records/entity.ts'
import {
  refusalsMeant,
  fetchRefusedSince,
  type RefusedSince,
} from '../../../store/datapoints/arriving/refused-datapoints.ts'
import { readDomain } from '../../../store/domains.ts'
import { countEntities, fetchEntityPage } from '../../../store/entity-pages.ts'
import type { DomainContext } from '../../domain-context.ts'
import { pageOf, type Page, type PageRequest } from '../../paging.ts'
import { readAnyInstant } from '../../systems/event-times.ts'
import { findPlainEntities } from '../../systems/find-entities.ts'
import { withinReach, type Reach } from '../../systems/reach.ts'
import { isUuid } from '../../../lib/uuid.ts'
import { fetchCredentials } from '../../../store/access/system-credentials.ts'
import { fetchKeysByUuid } from '../../../store/model/records.ts'

export type RefusedDatapoint = Stored<typeof REFUSED_DATAPOINT>

/** Lists the refused datapoints of the systems in the actor's reach, latest first. */
export async function listRefusedDatapoints(
  { database, domain, budget }: DomainContext,
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
    const page = pageOf(found, first, total, budget)
    return actor.units === null ? page : { ...page, items: page.items.map(withoutSender) }
  })
}

/** Finds the entries among these that the actor may see. */
export async function findRefusedDatapoints(
  context: DomainContext,
  actor: Reach,
  uuids: readonly string[],
): Promise<readonly object[]> {
  const found = await findPlainEntities(context, actor, REFUSED_DATAPOINT, uuids)
  return actor.units === null ? found : found.map((refused) => ({ ...refused, sender: null }))
}

/** Hides the sender, because an actor with a role within an organization may not know that account. */
function withoutSender(refused: RefusedDatapoint): RefusedDatapoint {
  return { ...refused, sender: null }
}

/**
 * Names the accounts that sent to a system, or to no known system. A deleted account is shown by its uuid. The user
 * name of a device stays hidden.
 */
export async function senderNames(
  { database, domain }: DomainContext,
  systemUuid: string | null,
  senders: readonly (string | null)[],
): Promise<(sender: string | null) => string | null> {
  const uuids = [...new Set(senders)].flatMap((one) => (one !== null && isUuid(one) ? [one] : []))
  if (uuids.length === 0) return (sender) => sender
  const [keys, devices] = await readDomain(database, domain.id, async (sql) => [
    await fetchKeysByUuid(sql, domain.id, uuids),
    new Set(systemUuid === null ? [] : (await fetchCredentials(sql, domain.id, systemUuid)).map(({ uuid }) => uuid)),
  ])
  return (sender) => {
    if (sender === null) return null
    return devices.has(sender) ? 'a device of this system' : (keys.get(sender) ?? sender)
  }
}

/** The number of datapoints refused since a time, by code, largest first. It counts systems in the context's reach. */
export function countRefused({ database, domain }: DomainContext, since: Date): Promise<readonly RefusedSince[]> {
  return readDomain(database, domain.id, (sql) => fetchRefusedSince(sql, domain.id, null, since))
}
