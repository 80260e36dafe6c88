import { INT8 } from '../db/columns.ts'
import { isNodeAway } from '../db/sql-error.ts'
import type { Database } from '../db/sql.ts'
import { listDomainIds } from './domains.ts'
import { groupByNode } from './nodes-of-domains.ts'

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
 * Looks for something in several domains with one statement, which is cheapest on one machine. It leaves out domains
 * whose node is known to hang. If a node of Citus is away, it asks one node after the other, and leaves out the domains
 * of that node. It throws any other error.
 */
export async function acrossDomains<T>(
  database: Database,
  domains: SomeDomains,
  find: (domains: SomeDomains) => Promise<T[]>,
): Promise<T[]> {
  const away = database.away?.() ?? new Set()
  const list = async () => (domains ?? (await database.read(listDomainIds))).filter((id) => !away.has(id))
  try {
    return await find(away.size === 0 ? domains : await list())
  } catch (error) {
    if (!isNodeAway(error)) throw error
    const groups = await groupByNode(database, await list())
    const found: T[][] = []
    for (const own of groups.length > 1 ? groups : []) {
      const some = await find(own).catch(leaveOutIfAway)
      if (some !== null) found.push(some)
    }
    if (found.length === 0) throw error
    return found.flat()
  }
}

function leaveOutIfAway(error: unknown): null {
  if (isNodeAway(error)) return null
  throw error
}

/** A table with few rows, in few domains. */
export type TableOfDomains = 'erased_ranges' | 'lost_series' | 'retentions' | 'refused_datapoints'

/** Lists the domains with rows in a table. */
export async function listDomainsIn(database: Database, table: TableOfDomains): Promise<number[]> {
  const rows = await acrossDomains(database, null, (domains) =>
    database.rows(
      { id: INT8 },
      `select distinct domain_id as id from ${table} where ${isOfDomains(domains, 'domain_id', '$1')} order by 1`,
      valuesOf(domains),
    ),
  )
  return rows.map(({ id }) => id)
}
