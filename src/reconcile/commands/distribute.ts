import { readDatabaseUrl } from '../../config.ts'
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

interface Work {
  readonly database: Database
  readonly io: Io
  readonly progress: Progress
}

/** The result of one way to call the command: for a person, and for a program. */
interface Answer {
  readonly text: string
  readonly json: object
  readonly hasFailed?: boolean
}

/**
 * Distributes the database of the servers over a Citus cluster, or looks after it. It works on the database itself,
 * because servers must not run while it is distributed for the first time.
 */
export async function distribute(options: DistributeOptions, { io }: Context): Promise<CommandResult> {
  const answering = answerOf(options)
  const url = readDatabaseUrl(io.env)
  const progress = progressOn(io)
  progress.step('Reading the cluster')
  // A move, its progress and the writes that it delays have a connection each.
  const database = await openPostgres(ownConnections(url), { maxConnections: 3 })
  try {
    const { text, json, hasFailed = false } = await answering({ database, io, progress })
    progress.clear()
    io.stdout.write(options.format === 'json' ? `${JSON.stringify(json, null, 2)}\n` : text)
    return hasFailed ? { kind: 'failed' } : DONE
  } finally {
    progress.clear()
    await database.close()
  }
}

/** Names the connections of this command, so that they do not count as those of a server. */
function ownConnections(address: string): string {
  const url = new URL(address)
  url.searchParams.set('application_name', 'holdfast distribute')
  return url.href
}

function answerOf({ check, status, rebalance: isRebalance, move }: DistributeOptions): (work: Work) => Promise<Answer> {
  if (check) return checkAll
  if (status) return showStatus
  if (isRebalance) return rebalanceShards
  if (move === undefined) return distributeAll
  const [domain, node, ...more] = move
  if (domain === undefined || node === undefined || more.length > 0)
    throw new HoldfastError('BAD_USER_INPUT', '--move takes a domain and a node, as "--status" shows them')
  return (work) => moveOne(work, domain, node)
}

async function checkAll({ database }: Work): Promise<Answer> {
  const conditions = await checkCluster(database, await countPending(database, await readMigrations(MIGRATIONS)))
  return { text: conditionsText(conditions), json: { conditions }, hasFailed: !conditions.every(({ ok }) => ok) }
}

async function showStatus({ database }: Work): Promise<Answer> {
  const status = await readClusterStatus(database)
  if (status === null)
    throw new HoldfastError('CONFLICT', 'The database is not distributed; "distribute --check" tells more')
  return { text: statusText(status), json: status }
}

async function distributeAll({ database, io, progress }: Work): Promise<Answer> {
  const migrations = await readMigrations(MIGRATIONS)
  refuseIfAny(await checkCluster(database, await countPending(database, migrations)), (one) => one.isForMoves === true)
  let steps = 0
  const news: DistributionNews = {
    tell(text, step, remaining) {
      io.signal.throwIfAborted()
      progress.step(text)
      if (remaining === undefined) return
      steps += 1
      const size = step?.table === undefined || step.table.bytes === 0 ? '' : `${sizeText(step.table.bytes)}, `
      progress.note(`${size}${counted(remaining, 'step')} left`)
    },
  }
  await migrate(database, migrations, news)
  await distributeDatabase(database, news)
  // Only now may the role of domains connect to the workers.
  refuseIfAny(await checkCluster(database, 0), (one) => one.isForMoves === true)
  const done =
    steps === 0 ? 'The database was distributed already.' : `Distributed the database in ${counted(steps, 'step')}.`
  return { text: `${done}\n`, json: { steps } }
}

async function moveOne({ database, io, progress }: Work, domain: string, node: string): Promise<Answer> {
  refuseIfAny(await checkCluster(database, 0))
  const move = await moveDomain(database, { domain, node }, newsOn(progress, io))
  const waited = `a write waited at most ${move.longestWaitMs} ms`
  const text =
    move.from === move.to
      ? `${domain} is on ${move.to} already.`
      : `Moved ${domain} from ${move.from} to ${move.to}; ${waited}.`
  return { text: `${text}\n`, json: move }
}

async function rebalanceShards({ database, io, progress }: Work): Promise<Answer> {
  refuseIfAny(await checkCluster(database, 0))
  const moves = await rebalance(database, newsOn(progress, io))
  const text = moves === 0 ? 'The nodes are balanced already.' : `Rebalanced the nodes in ${counted(moves, 'move')}.`
  return { text: `${text}\n`, json: { moves } }
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
      const sum = (of: 'copied' | 'total'): string => sizeText(moves.reduce((all, move) => all + move[of], 0))
      if (moves.length > 0) progress.note(`${sum('copied')} of ${sum('total')}`)
    },
  }
}

/** Throws if a condition is not met, except those that `mayFail` allows. */
function refuseIfAny(conditions: readonly Condition[], mayFail: (one: Condition) => boolean = () => false): void {
  const problems = conditions.filter((one) => !one.ok && !mayFail(one))
  if (problems.length === 0) return
  const lines = problems.map(({ name, message }) => `\n  ${name}: ${message}`)
  throw new HoldfastError('CONFLICT', `The cluster is not ready:${lines.join('')}`, { details: problems })
}
