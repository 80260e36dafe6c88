import { HoldfastError } from '../../lib/errors.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchUnknownPlaces, type NamedPlaces } from '../../store/systems/named-places.ts'
import type { DomainContext } from '../domain-context.ts'
import type { Reach } from '../systems/reach.ts'

/** So many may be named of each. */
const MOST_NAMES = 1_000

type Context = Pick<DomainContext, 'database' | 'domain'>

/**
 * What is named must be there: whoever waits for something of another name would wait for ever. A device hears of its
 * own system only, and whoever is bound to units of the systems of these; for them there are no others.
 */
export async function checkedFilter<Filter extends NamedPlaces>(
  { database, domain }: Context,
  { systemUuid, units }: Reach,
  filter: Filter,
): Promise<Filter & { readonly units: readonly string[] | undefined }> {
  const isLong = Object.values(filter).some((names: readonly string[] | undefined) => (names?.length ?? 0) > MOST_NAMES)
  if (isLong) throw new HoldfastError('LIMIT_EXCEEDED', `at most ${MOST_NAMES} of each kind can be named`)
  const [unknown] = await readDomain(database, domain.id, (sql) =>
    fetchUnknownPlaces(sql, domain.id, filter, { systemUuid, units }),
  )
  if (unknown !== undefined) throw new HoldfastError('NOT_FOUND', `there is no ${unknown.what} ${unknown.name}`)
  return { ...filter, ...(systemUuid !== null && { systems: [systemUuid] }), units: units ?? undefined }
}

/** Whether something of this place is meant; all that is said must hold. */
export function isMeant(names: readonly string[] | undefined, ...of: readonly (string | null)[]): boolean {
  return names === undefined || of.some((one) => one !== null && names.includes(one))
}
