import { BOOL, INT8, TEXT } from '../columns.ts'
import type { RowOf } from '../row-shape.ts'
import type { Sql } from '../sql.ts'

const NODE = { name: TEXT, host: TEXT, port: INT8, isActive: BOOL, answers: BOOL }

/** A worker: a node that has shards of distributed tables. */
export type ClusterNode = RowOf<typeof NODE>

/** Lists the workers. `answers` tells whether the coordinator can connect to them, as the role of this transaction. */
export function listNodes(sql: Sql): Promise<ClusterNode[]> {
  return sql.rows(
    NODE,
    `select nodename || ':' || nodeport as name, nodename as host, nodeport::bigint as port, isactive as "isActive",
       coalesce(citus_check_connection_to_node(nodename, nodeport), false) as answers
     from pg_dist_node where groupid <> 0 and noderole = 'primary' and shouldhaveshards order by nodename, nodeport`,
  )
}

const GROUP = { shard: INT8, node: TEXT, host: TEXT, port: INT8, bytes: INT8 }

/** The shards of all tables for the same domains. They lie on one node, and move together. */
export type ShardGroup = RowOf<typeof GROUP>

/** Lists the groups by their shard of one table. */
export function listShardGroups(sql: Sql, anchor: string): Promise<ShardGroup[]> {
  return sql.rows(
    GROUP,
    `select a.shardid as shard, s.nodename || ':' || s.nodeport as node, s.nodename as host, s.nodeport::bigint as port,
       coalesce(sum(s.shard_size), 0)::bigint as bytes
     from pg_dist_shard a join pg_dist_partition p on p.logicalrelid = a.logicalrelid
       join citus_shards s on s.colocation_id = p.colocationid
       join pg_dist_shard d on d.shardid = s.shardid and d.shardminvalue = a.shardminvalue
     where a.logicalrelid = $1::regclass group by 1, 2, 3, 4`,
    [anchor],
  )
}

const PLACED = { id: INT8, slug: TEXT, shard: INT8 }

/** A domain, and its shard of one table. */
export type PlacedDomain = RowOf<typeof PLACED>

export function listPlacedDomains(sql: Sql, anchor: string): Promise<PlacedDomain[]> {
  return sql.rows(
    PLACED,
    `select id, slug, get_shard_id_for_distribution_column($1::regclass, id) as shard from domains order by slug`,
    [anchor],
  )
}

const MOVE = { from: TEXT, to: TEXT, total: INT8, copied: INT8 }

/** A group of shards that moves to another node, and its bytes there. */
export type RunningMove = RowOf<typeof MOVE>

export function listMoves(sql: Pick<Sql, 'rows'>): Promise<RunningMove[]> {
  return sql.rows(
    MOVE,
    `select sourcename || ':' || sourceport as from, targetname || ':' || targetport as to,
       sum(source_shard_size)::bigint as total, sum(target_shard_size)::bigint as copied
     from get_rebalance_progress() where progress < 2 group by 1, 2 order by 1, 2`,
  )
}
