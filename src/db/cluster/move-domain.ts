import { setTimeout as wait } from 'node:timers/promises'
import { HoldfastError } from '../../lib/errors.ts'
import { INT4, INT8, nullable, TEXT } from '../columns.ts'
import { mayBeKept } from '../sql-error.ts'
import type { Database, Sql, SqlValue } from '../sql.ts'
import { countFailedCopies, listMoves, readClusterStatus, type RunningMove } from './status.ts'

export interface MoveNews {
  step(text: string): void
  /** Reports the shards that move just now. If it throws, the move ends. */
  moving(moves: readonly RunningMove[]): void
}

export interface DomainMove {
  readonly domain: string
  readonly from: string
  readonly to: string
  /** The longest time that a write of the domain waited, in milliseconds. */
  readonly longestWaitMs: number
}

/**
 * Moves a domain to another node while it sends. Other domains in its shards stay: Citus first makes shards of its own
 * for the domain. In both steps Citus copies by logical replication, and lets writes wait only at the end.
 */
export async function moveDomain(database: Database, slug: string, to: string, news: MoveNews): Promise<DomainMove> {
  const { anchor, target, moved } = await database.read((sql) => findMove(sql, slug, to))
  const { id, nodeId, node: from, sharedWith } = moved
  if (nodeId === target.id) return { domain: slug, from, to: target.node, longestWaitMs: 0 }
  const writes = watchWrites(database, anchor, id)
  try {
    if (sharedWith > 0) await isolate(database, anchor, id, news)
    news.step(`Moving ${slug} from ${from} to ${target.node}`)
    const shard = 'get_shard_id_for_distribution_column($1::regclass, $2::bigint)'
    const move = `select citus_move_shard_placement(${shard}, $3::integer, $4::integer, 'auto')`
    await runLong(database, move, [anchor, id, nodeId, target.id], () => report(database, news))
  } finally {
    await writes.stop()
  }
  return { domain: slug, from, to: target.node, longestWaitMs: writes.longestMs() }
}

const ATTEMPTS = 4
/**
 * After this number of failed copies, an attempt to move is given up. A subscription tries again every five seconds.
 */
const MOST_FAILURES = 2

/** The copies of an attempt fail again and again. */
class Stuck extends Error {}

/**
 * Makes shards for a domain alone. If a row is updated in the moment in which Citus begins, its copies fail for ever: the
 * table that the update goes to has no replica identity yet (Citus 13.2, `NonBlockingShardSplit`). Then it tries again, and
 * at last lets all writes of the shards wait for the copy.
 */
async function isolate(database: Database, anchor: string, id: number, news: MoveNews): Promise<void> {
  const text = `select isolate_tenant_to_new_shard($1::regclass, $2::bigint, 'CASCADE', $3::citus.shard_transfer_mode)`
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS
    news.step(isLast ? 'Making shards for the domain alone, while writes wait' : 'Making shards for the domain alone')
    let least = await countFailedCopies(database)
    const look = async (): Promise<void> => {
      await report(database, news)
      const failed = await countFailedCopies(database).catch(() => least)
      // Citus removes what an earlier attempt left, with its failures.
      least = Math.min(least, failed)
      if (!isLast && failed - least >= MOST_FAILURES) throw new Stuck('the copies fail again and again')
    }
    try {
      return await runLong(database, text, [anchor, id, isLast ? 'block_writes' : 'auto'], look)
    } catch (error) {
      if (!(error instanceof Stuck)) throw error
    }
  }
}

/** Citus asks all nodes. If one of them does not answer, the move itself goes on. */
async function report(database: Database, news: MoveNews): Promise<void> {
  news.moving(await listMoves(database).catch(() => []))
}

async function findMove(sql: Sql, slug: string, to: string) {
  const { anchor, nodes, domains, missing } = await readClusterStatus(sql)
  if (missing.length > 0) throw new HoldfastError('CONFLICT', `Run "distribute" first; it was interrupted`)
  const target = nodes.find(({ node }) => node === to)
  if (target === undefined)
    throw unknown(
      'node',
      to,
      nodes.map(({ node }) => node),
    )
  const moved = domains.find(({ domain }) => domain === slug)
  if (moved === undefined)
    throw unknown(
      'domain',
      slug,
      domains.map(({ domain }) => domain),
    )
  return { anchor, target, moved }
}

function unknown(what: string, name: string, known: readonly string[]): HoldfastError {
  return new HoldfastError('NOT_FOUND', `There is no ${what} ${JSON.stringify(name)}; there are: ${known.join(', ')}`)
}

const REPORT_MS = 500

/** Runs a statement without a time limit, and looks at it now and then. If `look` throws, it cancels the statement. */
async function runLong(
  database: Database,
  text: string,
  values: readonly SqlValue[],
  look: () => Promise<void>,
): Promise<void> {
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
      if (running.is) await look()
    }
  } catch (error) {
    // Citus loses a cancellation that comes while it reads the answer of a node.
    while (running.is) {
      await database.statement('select pg_cancel_backend($1::integer)', [running.process])
      await Promise.race([ended, wait(REPORT_MS)])
    }
    throw error
  }
  await run.catch((error: unknown) => {
    throw mayBeKept(error) ? new HoldfastError('UNAVAILABLE', PERHAPS_MOVED, { cause: error }) : error
  })
}

/** Citus moves in transactions of its own, so the end of ours does not undo a move. */
const PERHAPS_MOVED =
  'The connection to the database was lost during the move, which may be complete. Run "holdfast distribute --status" to see where the domain is, and move it again if necessary'

const PROBE_MS = 50

/** Measures how long writes of a domain wait, by a statement that deletes nothing but takes the locks of a write. */
function watchWrites(database: Database, anchor: string, domainId: number) {
  const seen = { longestMs: 0, isStopped: false }
  const text = `delete from ${anchor} where domain_id = $1 and domain_id::text = ''`
  const watch = async (): Promise<void> => {
    while (!seen.isStopped) {
      const began = performance.now()
      await database.statement(text, [domainId]).catch(() => undefined)
      seen.longestMs = Math.max(seen.longestMs, Math.round(performance.now() - began))
      await wait(PROBE_MS)
    }
  }
  const watched = watch()
  const stop = (): Promise<void> => {
    seen.isStopped = true
    return watched
  }
  return { longestMs: () => seen.longestMs, stop }
}

const JOB = { state: TEXT, done: INT8, total: INT8, reason: nullable(TEXT) }
const SELECT_JOB = `select j.state::text as state, count(t.*) filter (where t.status = 'done') as done, count(t.*) as total,
    max(t.message) filter (where t.status in ('error', 'cancelled')) as reason
  from pg_dist_background_job j left join pg_dist_background_task t using (job_id) where job_id = $1 group by 1`

/**
 * Moves shards until all nodes store about as much, and returns the number of moves. The cluster does the work, and
 * continues if this process ends.
 */
export async function rebalance(database: Database, news: MoveNews): Promise<number> {
  await database.read(readClusterStatus)
  const start = `select citus_rebalance_start(shard_transfer_mode => 'auto') as id`
  const [started] = await database.transaction((sql) => sql.rows({ id: nullable(INT8) }, start))
  // Citus returns null if there is nothing to move.
  if (started === undefined || started.id === null) return 0
  for (;;) {
    const [job] = await database.rows(JOB, SELECT_JOB, [started.id])
    if (job?.state === 'finished') return job.total
    if (job === undefined || ['cancelled', 'failed'].includes(job.state))
      throw new HoldfastError('CONFLICT', `The rebalancing ended before its last move: ${job?.reason ?? 'it is gone'}`)
    news.step(`Rebalancing: ${job.done} of ${job.total} moves done`)
    await report(database, news)
    await wait(REPORT_MS)
  }
}
