import { HoldfastError } from '../../lib/errors.ts'
import { INT4, INT8, oneOf, TEXT } from '../columns.ts'
import type { RowOf } from '../row-shape.ts'
import type { Sql } from '../sql.ts'
import { readCatalog } from './catalog.ts'
import { anchorOf, isDistributed, planLayout } from './layout.ts'

const NODE = { id: INT4, node: TEXT, state: oneOf(['answers', 'does not answer', 'inactive']) }
/**
 * A node that has shards. Its state tells whether the coordinator can connect to it, as the role of the transaction.
 */
export type ClusterNode = RowOf<typeof NODE>

export function listNodes(sql: Sql): Promise<ClusterNode[]> {
  return sql.rows(
    NODE,
    `select nodeid as id, nodename || ':' || nodeport as node, case when not isactive then 'inactive'
       when citus_check_connection_to_node(nodename, nodeport) then 'answers' else 'does not answer' end as state
     from pg_dist_node where noderole = 'primary' and shouldhaveshards order by nodename, nodeport`,
  )
}

const DOMAIN = { id: INT8, domain: TEXT, nodeId: INT4, node: TEXT, bytes: INT8, sharedWith: INT8 }
/** A domain, the bytes of its shards of all tables, and the number of other domains in these shards. */
export type PlacedDomain = RowOf<typeof DOMAIN>

/** The shards for the same domains have the same range of hashes. */
const SELECT_DOMAINS = `with placed as materialized (
    select id, slug, get_shard_id_for_distribution_column($1::regclass, id) as shard from domains
  ), sized as materialized (
    select a.shardid as shard, s.nodename, s.nodeport, sum(s.shard_size) as bytes
    from pg_dist_shard a join pg_dist_partition p on p.logicalrelid = a.logicalrelid
      join citus_shards s on s.colocation_id = p.colocationid
      join pg_dist_shard d on d.shardid = s.shardid and d.shardminvalue = a.shardminvalue
    where a.logicalrelid = $1::regclass group by 1, 2, 3
  )
  select p.id, p.slug as domain, n.nodeid as "nodeId", n.nodename || ':' || n.nodeport as node,
    coalesce(s.bytes, 0)::bigint as bytes, count(*) over (partition by shard) - 1 as "sharedWith"
  from placed p join sized s using (shard) join pg_dist_node n using (nodename, nodeport) order by slug`

const MOVE = { from: TEXT, to: TEXT, copied: INT8, bytes: INT8 }
/** Shards that move to another node, and their bytes there. */
export type RunningMove = RowOf<typeof MOVE>

export function listMoves(sql: Pick<Sql, 'rows'>): Promise<RunningMove[]> {
  return sql.rows(
    MOVE,
    `select sourcename || ':' || sourceport as from, targetname || ':' || targetport as to,
       sum(target_shard_size)::bigint as copied, sum(source_shard_size)::bigint as bytes
     from get_rebalance_progress() where progress < 2 group by 1, 2 order by 1, 2`,
  )
}

/** Counts how often copies of shards failed, on all nodes. */
export async function countFailedCopies(sql: Pick<Sql, 'rows'>): Promise<number> {
  const [row] = await sql.rows(
    { failed: INT8 },
    `select coalesce(sum(result::bigint) filter (where success), 0)::bigint as failed from run_command_on_all_nodes(
       'select coalesce(sum(apply_error_count), 0) from pg_stat_subscription_stats where subname like ''citus_shard_%''')`,
  )
  return row?.failed ?? 0
}

export interface ClusterStatus {
  /** The table whose shards represent the shards of all tables. */
  readonly anchor: string
  readonly nodes: readonly ClusterNode[]
  readonly domains: readonly PlacedDomain[]
  /** The steps until everything is distributed. */
  readonly missing: readonly string[]
  readonly moves: readonly RunningMove[]
}

/** Describes a distributed database. */
export async function readClusterStatus(sql: Sql): Promise<ClusterStatus> {
  const catalog = await readCatalog(sql)
  if (catalog === null || !isDistributed(catalog))
    throw new HoldfastError('CONFLICT', 'The database is not distributed; "distribute --check" tells what it needs')
  const anchor = anchorOf(catalog)
  const nodes = await listNodes(sql)
  // Citus asks all nodes for the bytes of moves.
  const moves = nodes.every(({ state }) => state === 'answers') ? await listMoves(sql) : []
  const domains = await sql.rows(DOMAIN, SELECT_DOMAINS, [anchor])
  return { anchor, nodes, domains, missing: planLayout(catalog).map(({ what }) => what), moves }
}
