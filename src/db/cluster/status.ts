import type { Database } from '../sql.ts'
import { readCatalog } from './catalog.ts'
import { anchorOf, isDistributed, planLayout } from './layout.ts'
import { listMoves, listNodes, listPlacedDomains, listShardGroups, type RunningMove } from './nodes.ts'

export interface NodeStatus {
  readonly node: string
  readonly state: 'answers' | 'does not answer' | 'inactive'
  readonly domains: number
  readonly bytes: number
}

export interface DomainStatus {
  readonly domain: string
  readonly node: string
  /** The bytes of its shards. */
  readonly bytes: number
  /** The number of other domains in the same shards. */
  readonly sharedWith: number
}

export interface ClusterStatus {
  readonly nodes: readonly NodeStatus[]
  readonly domains: readonly DomainStatus[]
  /** The steps that are missing until everything is distributed. */
  readonly missing: readonly string[]
  readonly moves: readonly RunningMove[]
}

/** Describes a cluster; null if the database is not distributed. */
export function readClusterStatus(database: Database): Promise<ClusterStatus | null> {
  return database.read(async (sql) => {
    const catalog = await readCatalog(sql)
    if (catalog === null || !isDistributed(catalog)) return null
    const anchor = anchorOf(catalog)
    const nodes = await listNodes(sql)
    const areUp = nodes.every(({ answers }) => answers)
    const groups = await listShardGroups(sql, anchor)
    const placed = await listPlacedDomains(sql, anchor)
    const domains = placed.map(({ slug, shard }) => {
      const group = groups.find((one) => one.shard === shard)
      const sharedWith = placed.filter((one) => one.shard === shard).length - 1
      return { domain: slug, node: group?.node ?? '', bytes: group?.bytes ?? 0, sharedWith }
    })
    return {
      nodes: nodes.map(({ name, isActive, answers }) => ({
        node: name,
        state: !isActive ? 'inactive' : answers ? 'answers' : 'does not answer',
        domains: domains.filter(({ node }) => node === name).length,
        bytes: groups.filter(({ node }) => node === name).reduce((sum, { bytes }) => sum + bytes, 0),
      })),
      domains,
      missing: planLayout(catalog).map(({ what }) => what),
      // Citus asks all workers for the bytes that they have copied.
      moves: areUp ? await listMoves(sql) : [],
    }
  })
}
