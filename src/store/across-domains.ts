import { INT8 } from '../db/columns.ts'
import { isNodeAway } from '../db/sql-error.ts'
import type { Database } from '../db/sql.ts'
import { listDomainIds } from './domains.ts'

/** Domains by number; null means all of them. */
export type SomeDomains = readonly number[] | null

/** SQL for rows of some domains. `place` is the parameter that gets `valuesOf`. */
export function isOfDomains(domains: SomeDomains, column: string, place: string): string {
  return domains === null ? 'true' : `${column} = any (${place}::bigint[])`
}

export function valuesOf(domains: SomeDomains): readonly string[][] {
  return domains === null ? [] : [domains.map(String)]
}

/**
 * Looks for something in several domains with one statement, which costs one machine the least. If a node of Citus is
 * away, it looks in one domain after the other, and leaves out those of this node. Any other error is thrown.
 */
export async function acrossDomains<T>(
  database: Database,
  domains: SomeDomains,
  find: (domains: SomeDomains) => Promise<T[]>,
): Promise<T[]> {
  try {
    return await find(domains)
  } catch (error) {
    if (!isNodeAway(error)) throw error
    const each = domains ?? (await database.read(listDomainIds))
    const found: T[][] = []
    for (const one of each.length > 1 ? each : []) {
      const own = await find([one]).catch(leaveOutIfAway)
      if (own !== null) found.push(own)
    }
    if (found.length === 0) throw error
    return found.flat()
  }
}

function leaveOutIfAway(error: unknown): null {
  if (isNodeAway(error)) return null
  throw error
}

/** Lists the domains with rows in a table. */
export async function listDomainsIn(database: Database, table: 'erased_ranges' | 'lost_series'): Promise<number[]> {
  const rows = await acrossDomains(database, null, (domains) =>
    database.rows(
      { id: INT8 },
      `select distinct domain_id as id from ${table} where ${isOfDomains(domains, 'domain_id', '$1')} order by 1`,
      valuesOf(domains),
    ),
  )
  return rows.map(({ id }) => id)
}
