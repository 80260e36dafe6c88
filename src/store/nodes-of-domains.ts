import { INT4, INT8 } from '../db/columns.ts'
import { isNodeAway } from '../db/sql-error.ts'
import type { Database } from '../db/sql.ts'

// Only for Citus. A database of one machine has neither these tables nor nodes that are away.

/** Finds the node of each domain by the number of the node. It asks only the coordinator. */
export async function fetchNodes(database: Database, domainIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await database.rows(
    { domainId: INT8, node: INT4 },
    `select d.id as "domainId", p.groupid as node from unnest($1::bigint[]) d (id)
     join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('domain_state', d.id)`,
    [domainIds.map(String)],
  )
  return new Map(rows.map(({ domainId, node }) => [domainId, node]))
}

/** Finds the domains whose node cannot be reached now. It asks each node once. */
export async function findDomainsAway(database: Database, domainIds: readonly number[]): Promise<number[]> {
  const nodes = await fetchNodes(database, domainIds)
  const away: number[] = []
  for (const own of Map.groupBy(domainIds, (id) => nodes.get(id)).values()) {
    try {
      await database.statement(`select 1 as one from domain_state where domain_id = $1`, [own[0] ?? 0])
    } catch (error) {
      if (!isNodeAway(error)) throw error
      away.push(...own)
    }
  }
  return away
}
