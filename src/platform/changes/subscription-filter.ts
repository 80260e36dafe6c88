import type { Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { setOf } from '../../lib/set-of.ts'
import { isUuid } from '../../lib/uuid.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchUnknownNames, fetchUuidsOfKeys, type NamedFilters } from '../../store/systems/named-filters.ts'
import type { DomainContext } from '../domain-context.ts'
import type { Reach } from '../systems/reach.ts'

/** The maximum number of names of each kind. */
const MOST_NAMES = 1_000

type Context = Pick<DomainContext, 'database' | 'domain'>

/**
 * Checks a filter. Everything that it names must exist, because a subscriber would otherwise wait for ever. For a
 * device, only its own system exists. For an account that is bound to units, only the systems of these units exist.
 */
export async function checkedFilter<Filter extends NamedFilters>(
  { database, domain }: Context,
  { systemUuid, units }: Reach,
  filter: Filter,
): Promise<Filter & { readonly units: readonly string[] | undefined }> {
  const isLong = Object.values(filter).some((names: readonly string[] | undefined) => (names?.length ?? 0) > MOST_NAMES)
  if (isLong) throw new HoldfastError('LIMIT_EXCEEDED', `at most ${MOST_NAMES} of each kind can be named`)
  const [empty] =
    Object.entries(filter).find(([, names]: [string, readonly string[] | undefined]) => names?.length === 0) ?? []
  if (empty !== undefined)
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `${empty} names nothing, so nothing would ever be sent; name some, or leave it out`,
    )
  const { unknown, meant } = await readDomain(database, domain.id, async (sql) => {
    const [first] = await fetchUnknownNames(sql, domain.id, filter, { systemUuid, units })
    return { unknown: first, meant: first === undefined ? await withUuids(sql, domain.id, filter) : filter }
  })
  if (unknown !== undefined) throw new HoldfastError('NOT_FOUND', `there is no ${unknown.what} ${unknown.name}`)
  return { ...meant, ...(systemUuid !== null && { systems: [systemUuid] }), units: units ?? undefined }
}

/** Replaces keys in the filter by uuids, which stay the same when an apply changes a key. */
async function withUuids<Filter extends NamedFilters>(sql: Sql, domainId: number, filter: Filter): Promise<Filter> {
  const { services, characteristics } = filter
  if (![...(services ?? []), ...(characteristics ?? [])].some((name) => !isUuid(name))) return filter
  const found = await fetchUuidsOfKeys(sql, domainId, {
    services: services ?? [],
    characteristics: characteristics ?? [],
  })
  return {
    ...filter,
    services: services && [...services, ...found.services],
    characteristics: characteristics && [...characteristics, ...found.characteristics],
  }
}

/** Tells whether a filter admits an item. All conditions of the filter must hold. */
export function isMeant(names: readonly string[] | undefined, ...of: readonly (string | null)[]): boolean {
  if (names === undefined) return true
  // Each list is compared with each series of each flush.
  const set = setOf(names)
  return of.some((one) => one !== null && set.has(one))
}
