import { setTimeout as wait } from 'node:timers/promises'
import { HoldfastError } from '../../lib/errors.ts'
import { INT4, INT8, nullable, TEXT } from '../columns.ts'
import type { Database, Sql, SqlValue } from '../sql.ts'
import { readCatalog } from './catalog.ts'
import { anchorOf, planLayout } from './layout.ts'
import { listMoves, listNodes, listPlacedDomains, listShardGroups, type RunningMove } from './nodes.ts'

export interface MoveNews {
  step(text: string): void
  /** Reports the groups of shards that move just now. */
  moving(moves: readonly RunningMove[]): void
}

export interface DomainMove {
  readonly domain: string
  readonly from: string
  readonly to: string
  /** The longest time that a write of the domain waited, in milliseconds. */
  readonly longestWaitMs: number
}

/** Returns the table whose shards stand for all others. Refuses if the database is not distributed as a whole. */
export async function readAnchor(sql: Sql): Promise<string> {
  const catalog = await readCatalog(sql)
  if (catalog === null || planLayout(catalog).length > 0) {
    throw new HoldfastError('CONFLICT', 'The database is not distributed, or not as a whole; run "distribute" first')
  }
  return anchorOf(catalog)
}

/**
 * Moves a domain to another node while it sends. Domains that share its shards stay: Citus first makes shards of its
 * own for the domain. Citus copies by logical replication, and lets writes wait only at the end of each of both steps.
 */
export async function moveDomain(
  database: Database,
  { domain, node }: { readonly domain: string; readonly node: string },
  news: MoveNews,
): Promise<DomainMove> {
  const { anchor, target, moved, group, isShared } = await database.read((sql) => findMove(sql, domain, node))
  if (group.node === target.name) return { domain, from: group.node, to: target.name, longestWaitMs: 0 }
  const writes = watchWrites(database, anchor, moved.id)
  try {
    if (isShared) {
      news.step(`Making shards of its own for ${domain}`)
      const isolate = `select isolate_tenant_to_new_shard($1::regclass, $2::bigint, 'CASCADE', shard_transfer_mode => 'auto')`
      await runLong(database, isolate, [anchor, moved.id], news)
    }
    news.step(`Moving ${domain} from ${group.node} to ${target.name}`)
    const move = `select citus_move_shard_placement(get_shard_id_for_distribution_column($1::regclass, $2::bigint),
      $3, $4::integer, $5, $6::integer, 'auto')`
    await runLong(database, move, [anchor, moved.id, group.host, group.port, target.host, target.port], news)
  } finally {
    await writes.stop()
  }
  return { domain, from: group.node, to: target.name, longestWaitMs: writes.longestMs() }
}

async function findMove(sql: Sql, domain: string, node: string) {
  const anchor = await readAnchor(sql)
  const nodes = await listNodes(sql)
  const target = nodes.find(({ name, host }) => name === node || host === node)
  if (target === undefined)
    throw unknown(
      'node',
      node,
      nodes.map(({ name }) => name),
    )
  if (!target.isActive || !target.answers)
    throw new HoldfastError('UNAVAILABLE', `The node ${target.name} does not answer`)
  const domains = await listPlacedDomains(sql, anchor)
  const moved = domains.find(({ slug }) => slug === domain)
  if (moved === undefined)
    throw unknown(
      'domain',
      domain,
      domains.map(({ slug }) => slug),
    )
  const group = (await listShardGroups(sql, anchor)).find(({ shard }) => shard === moved.shard)
  if (group === undefined) throw new HoldfastError('INTERNAL', `The shards of ${domain} were not found`)
  const isShared = domains.filter(({ shard }) => shard === moved.shard).length > 1
  return { anchor, target, moved, group, isShared }
}

function unknown(what: string, name: string, known: readonly string[]): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no ${what} ${JSON.stringify(name)}; there are: ${known.join(', ')}`)
}

/** Runs a statement without a time limit, and reports moves meanwhile. If a report throws, the statement is cancelled. */
async function runLong(database: Database, text: string, values: readonly SqlValue[], news: MoveNews): Promise<void> {
  const running = { is: true, process: 0 }
  const run = database.transaction(async (sql) => {
    await sql.limit(Infinity)
    const [own] = await sql.rows({ id: INT4 }, 'select pg_backend_pid() as id')
    running.process = own?.id ?? 0
    await sql.query(text, values)
  })
  const ended = run.finally(() => (running.is = false)).catch(() => undefined)
  try {
    while (running.is) {
      await Promise.race([ended, wait(REPORT_MS)])
      if (running.is) news.moving(await listMoves(database))
    }
  } catch (error) {
    await database.statement('select pg_cancel_backend($1)', [running.process])
    await ended
    throw error
  }
  await run
}
const REPORT_MS = 500

/**
 * Measures how long writes of a domain wait, by a statement that deletes nothing. It waits for the same locks of Citus
 * as every other write.
 */
function watchWrites(database: Database, anchor: string, domainId: number) {
  const seen = { longestMs: 0, isStopped: false }
  const watch = async (): Promise<void> => {
    while (!seen.isStopped) {
      const began = performance.now()
      await database
        .statement(`delete from ${anchor} where domain_id = $1 and domain_id::text = ''`, [domainId])
        .catch(() => undefined)
      seen.longestMs = Math.max(seen.longestMs, Math.round(performance.now() - began))
      await wait(PROBE_MS)
    }
  }
  const watched = watch()
  return {
    longestMs: () => seen.longestMs,
    async stop() {
      seen.isStopped = true
      await watched
    },
  }
}
const PROBE_MS = 50

const JOB = { state: TEXT, done: INT8, total: INT8, reason: nullable(TEXT) }
const SELECT_JOB = `select j.state::text as state, count(t.*) filter (where t.status = 'done') as done, count(t.*) as total,
    max(t.message) filter (where t.status in ('error', 'cancelled')) as reason
  from pg_dist_background_job j left join pg_dist_background_task t on t.job_id = j.job_id
  where j.job_id = $1 group by j.job_id, j.state`
const OVER = ['finished', 'cancelled', 'failed']

/**
 * Moves shards until all workers store about as much, and returns the number of moves. The cluster itself does the work,
 * so it continues if this process ends.
 */
export async function rebalance(database: Database, news: MoveNews): Promise<number> {
  await database.read(readAnchor)
  const start = `select citus_rebalance_start(shard_transfer_mode => 'auto') as job`
  const [started] = await database.transaction((sql) => sql.rows({ job: nullable(INT8) }, start))
  const id = started?.job ?? null
  if (id === null) return 0
  for (;;) {
    const [job] = await database.rows(JOB, SELECT_JOB, [id])
    if (job === undefined) throw new HoldfastError('INTERNAL', 'Citus has forgotten the job of the rebalancing')
    if (job.state === 'finished') return job.total
    if (OVER.includes(job.state)) {
      throw new HoldfastError(
        'CONFLICT',
        `The rebalancing ended after ${job.done} of ${job.total} moves: ${job.reason}`,
      )
    }
    news.step(`Rebalancing: ${job.done} of ${job.total} moves done`)
    news.moving(await listMoves(database))
    await wait(REPORT_MS)
  }
}
