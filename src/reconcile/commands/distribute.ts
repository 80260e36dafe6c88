import { distributeDatabase, type DistributionNews } from '../../db/cluster/distribute.ts'
import { moveDomain, rebalance, type MoveNews } from '../../db/cluster/move-domain.ts'
import { checkCluster, type Condition } from '../../db/cluster/readiness.ts'
import { readClusterStatus } from '../../db/cluster/status.ts'
import { countPending, migrate } from '../../db/migrate.ts'
import { openPostgres } from '../../db/postgres/postgres.ts'
import { MIGRATIONS, readMigrations } from '../../db/read-migrations.ts'
import type { Database } from '../../db/sql.ts'
import { counted } from '../../lib/counted.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { DONE, type CommandResult } from '../../shell/exit-code.ts'
import type { Context, Io } from '../../shell/io.ts'
import { progressOn, type Progress } from '../../shell/progress.ts'
import { conditionsText, sizeText, statusText } from '../cluster-text.ts'

export interface DistributeOptions {
  readonly check?: true
  readonly status?: true
  readonly rebalance?: true
  readonly move?: readonly string[]
  readonly format: 'text' | 'json'
}

/** The result of one way to call the command: for a person, and for a program. */
interface Answer {
  readonly text: string
  readonly json: object
  readonly hasFailed?: boolean
}

/**
 * Distributes the database of the servers over a Citus cluster, moves domains, or shows the state. It connects to the
 * database itself, because servers must not run during the first distribution.
 */
export async function distribute(options: DistributeOptions, { io }: Context): Promise<CommandResult> {
  const url = io.env['DATABASE_URL'] ?? ''
  if (url === '') throw wrong('set DATABASE_URL to the PostgreSQL database of the servers')
  if (options.move !== undefined && options.move.length !== 2) throw wrong('--move takes a domain and a node')
  const progress = progressOn(io)
  progress.step('Reading the cluster')
  // Connections whose name differs from the names of servers. A move, its progress and a probe of writes have one each.
  const database = await openPostgres(url, { maxConnections: 3, name: 'holdfast-distribute' })
  try {
    const { text, json, hasFailed = false } = await answer(options, database, progress, io)
    progress.clear()
    io.stdout.write(options.format === 'json' ? `${JSON.stringify(json, null, 2)}\n` : text)
    return hasFailed ? { kind: 'failed' } : DONE
  } finally {
    progress.clear()
    await database.close()
  }
}

function wrong(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message)
}

async function answer(options: DistributeOptions, database: Database, progress: Progress, io: Io): Promise<Answer> {
  if (options.status) {
    const status = await database.read(readClusterStatus)
    return { text: statusText(status), json: status }
  }
  const migrations = await readMigrations(MIGRATIONS)
  const conditions = await checkCluster(database, await countPending(database, migrations))
  if (options.check) {
    const hasFailed = !conditions.every(({ ok }) => ok)
    return { text: conditionsText(conditions), json: { conditions }, hasFailed }
  }
  if (options.move === undefined && !options.rebalance) {
    refuseUnready(conditions.filter(({ isForMoves }) => !isForMoves))
    return distributeAll(database, migrations, progress, io)
  }
  refuseUnready(conditions)
  const news = newsOn(progress, io)
  if (options.move === undefined) {
    const moves = await rebalance(database, news)
    const text = moves === 0 ? 'The nodes are balanced already.' : `Rebalanced the nodes in ${counted(moves, 'move')}.`
    return { text: `${text}\n`, json: { moves } }
  }
  const [domain = '', node = ''] = options.move
  const move = await moveDomain(database, domain, node, news)
  const moved = `Moved ${domain} from ${move.from} to ${node}; a write waited at most ${move.longestWaitMs} ms.`
  return { text: `${move.from === node ? `${domain} is on ${node} already.` : moved}\n`, json: move }
}

async function distributeAll(
  database: Database,
  migrations: Awaited<ReturnType<typeof readMigrations>>,
  progress: Progress,
  { signal }: Io,
): Promise<Answer> {
  let steps = 0
  const news: DistributionNews = {
    tell(text, step, remaining) {
      signal.throwIfAborted()
      progress.step(text)
      if (step === undefined) return
      steps += 1
      progress.note(`${step.bytes > 0 ? `${sizeText(step.bytes)}, ` : ''}${counted(remaining ?? 0, 'step')} left`)
    },
  }
  await migrate(database, migrations, news)
  await distributeDatabase(database, news)
  // Before, the role of domains could not connect to the workers.
  refuseUnready((await checkCluster(database, 0)).filter(({ isForMoves }) => !isForMoves))
  const text =
    steps === 0 ? 'The database is distributed already.' : `Distributed the database in ${counted(steps, 'step')}.`
  return { text: `${text}\n`, json: { steps } }
}

function newsOn(progress: Progress, { signal }: Io): MoveNews {
  let step = ''
  return {
    step(text) {
      if (text !== step) progress.step(text)
      step = text
    },
    moving(moves) {
      signal.throwIfAborted()
      const [move] = moves
      if (move !== undefined) progress.note(`${sizeText(move.copied)} of ${sizeText(move.bytes)}`)
    },
  }
}

function refuseUnready(conditions: readonly Condition[]): void {
  const problems = conditions.filter(({ ok }) => !ok)
  if (problems.length === 0) return
  const lines = problems.map(({ name, message }) => `\n  ${name}: ${message}`)
  throw new HoldfastError('CONFLICT', `The cluster is not ready:${lines.join('')}`, { details: problems })
}
