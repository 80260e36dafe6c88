import { HoldfastError } from '../../lib/errors.ts'
import type { OwnedEntities, OwnedRecords } from '../../records/edges.ts'
import { readDomain } from '../../store/domains.ts'
import { countOwned, fetchOwned, type Visible } from '../../store/owned-pages.ts'
import type { DomainContext } from '../domain-context.ts'
import type { PageRequest } from '../paging.ts'
import { HIDDEN_TYPES } from '../records/read-records.ts'
import type { Reach } from '../systems/reach.ts'

/** The maximum number of objects that the lists of one edge of a query hold together. */
export const MOST_OWNED = 100_000

export interface OwnedRequest extends PageRequest {
  readonly owners: readonly string[]
  /** Whether the answer has items, and not only their number. */
  readonly hasItems: boolean
}

/** A page of one owner, by the uuids of its objects. */
export interface OwnedPage {
  readonly uuids: readonly string[]
  readonly cursors: readonly string[]
  readonly hasNext: boolean
  readonly total: number
}

/** Lists the objects of several owners, as far as the actor may see them. The owners do not change the statements. */
export async function listOwned(
  { database, domain }: DomainContext,
  actor: Reach,
  through: OwnedEntities | OwnedRecords,
  { owners, first, after, mostCounted, hasItems }: OwnedRequest,
): Promise<ReadonlyMap<string, OwnedPage>> {
  const visible = visibleThrough(actor, through)
  // One more of each owner is read than is shown.
  const query = { owners, first, after, most: MOST_OWNED + owners.length }
  const [found, totals] = await readDomain(database, domain.id, (sql) =>
    Promise.all([
      hasItems ? fetchOwned(sql, domain.id, through, visible, query) : [],
      mostCounted === 0 ? null : countOwned(sql, domain.id, through, visible, owners),
    ]),
  )
  const byOwner = Map.groupBy(found, ({ item: { owner } }) => owner)
  const pages = owners.map((owner): [string, OwnedPage] => {
    const all = byOwner.get(owner) ?? []
    const shown = all.slice(0, first)
    const [uuids, cursors] = [shown.map(({ item: { uuid } }) => uuid), shown.map(({ cursor }) => cursor)]
    return [owner, { uuids, cursors, hasNext: all.length > first, total: totals?.get(owner) ?? 0 }]
  })
  if (pages.reduce((sum, [, { uuids }]) => sum + uuids.length, 0) > MOST_OWNED) throw tooMany(owners.length)
  return new Map(pages)
}

/** Most records are visible to everybody who may read the model. */
function visibleThrough({ systemUuid, units }: Reach, through: OwnedEntities | OwnedRecords): Visible {
  if ('entity' in through) return { systemUuid, units }
  return { systemUuid: null, units: HIDDEN_TYPES.includes(through.type.name) ? units : null }
}

function tooMany(owners: number): HoldfastError {
  const most = MOST_OWNED.toLocaleString('en-US')
  const message = `the lists of ${owners} objects hold more than ${most} items together; use a smaller number in \`first\``
  return new HoldfastError('LIMIT_EXCEEDED', message)
}
