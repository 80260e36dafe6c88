import { HoldfastError } from '../../lib/errors.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchUnknownNames, type NamedFilters } from '../../store/systems/named-filters.ts'
import type { DomainContext } from '../domain-context.ts'
import type { Reach } from '../systems/reach.ts'

/** The most names of each kind. */
const MOST_NAMES = 1_000

type Context = Pick<DomainContext, 'database' | 'domain'>

/**
 * Checks a filter. Everything that it names must exist, because a subscriber would otherwise wait for ever. For a
 * device only its own system exists, and for an account that is bound to units only the systems in these.
 */
export async function checkedFilter<Filter extends NamedFilters>(
  { database, domain }: Context,
  { systemUuid, units }: Reach,
  filter: Filter,
): Promise<Filter & { readonly units: readonly string[] | undefined }> {
  const isLong = Object.values(filter).some((names: readonly string[] | undefined) => (names?.length ?? 0) > MOST_NAMES)
  if (isLong) throw new HoldfastError('LIMIT_EXCEEDED', `at most ${MOST_NAMES} of each kind can be named`)
  const [unknown] = await readDomain(database, domain.id, (sql) =>
    fetchUnknownNames(sql, domain.id, filter, { systemUuid, units }),
  )
  if (unknown !== undefined) throw new HoldfastError('NOT_FOUND', `there is no ${unknown.what} ${unknown.name}`)
  return { ...filter, ...(systemUuid !== null && { systems: [systemUuid] }), units: units ?? undefined }
}

/** Tells whether a filter admits an item. All conditions of the filter must hold. */
export function isMeant(names: readonly string[] | undefined, ...of: readonly (string | null)[]): boolean {
  return names === undefined || of.some((one) => one !== null && names.includes(one))
}
