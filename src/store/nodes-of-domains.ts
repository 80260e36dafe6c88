import { INT4, INT8 } from '../db/columns.ts'
import { isNodeAway } from '../db/sql-error.ts'
import type { Database } from '../db/sql.ts'
import type { Attempts } from '../lib/attempts.ts'

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

/** Groups domains by their node. A domain of no known node is alone. */
export async function groupByNode(database: Database, domainIds: readonly number[]): Promise<number[][]> {
  const nodes = await fetchNodes(database, domainIds).catch(() => null)
  return [...Map.groupBy(domainIds, (id) => nodes?.get(id) ?? -id).values()]
}

/** Asks the node of a domain whether it can be reached now. */
export async function isReachable(database: Database, domainId: number): Promise<boolean> {
  const isHanging = (): boolean => database.away?.().has(domainId) === true
  try {
    if (isHanging()) return false
    await database.statement(`select 1 as one from domain_state where domain_id = $1`, [domainId])
    return true
  } catch (error) {
    if (isNodeAway(error) || isHanging()) return false
    throw error
  }
}

/** Finds the domains whose node cannot be reached now. It asks each node once. */
export async function findDomainsAway(database: Database, domainIds: readonly number[]): Promise<number[]> {
  const away: number[] = []
  for (const own of await groupByNode(database, domainIds))
    if (!(await isReachable(database, own[0] ?? 0))) away.push(...own)
  return away
}

/**
 * Works on one domain after the other. A failure stops only its domain. If a node is away or known to hang, the other domains
 * of this node are left out, because each of them would wait for it.
 */
export async function inEachDomain(
  database: Database,
  domainIds: readonly number[],
  attempts: Attempts,
  work: (domainId: number) => Promise<unknown>,
): Promise<void> {
  const away = new Set<number>()
  for (const domainId of domainIds) {
    if (away.has(domainId) || database.away?.().has(domainId) === true) continue
    await attempts.make(async () => {
      try {
        await work(domainId)
      } catch (error) {
        const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
        const groups = errors.some(isNodeAway) ? await groupByNode(database, domainIds) : []
        for (const one of groups.find((own) => own.includes(domainId)) ?? []) away.add(one)
        throw error
      }
    })
  }
}
