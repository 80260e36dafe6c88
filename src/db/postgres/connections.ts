import { Pool, type ClientBase, type PoolClient } from 'pg'
import { HoldfastError } from '../../lib/errors.ts'
import { NOTE_DATABASE } from '../database-identity.ts'
import { mayBeKept, NotAsked } from '../sql-error.ts'
import { parserOf, SESSION_SETTINGS } from '../values.ts'
import type { AbandonedSessions } from './abandoned-sessions.ts'
import type { AnswerWatch, WatchTimes } from './answer-watch.ts'
import { isFull, unreachable, watchUse } from './pool-load.ts'
import { NOTHING_KEPT } from './postgres-errors.ts'

export interface PostgresOptions {
  readonly maxConnections: number
  /** How long work waits for a connection before it fails as UNAVAILABLE. */
  readonly patienceMs?: number
  /** How long a statement may take before the database ends it. A wait for a lock counts as well. */
  readonly statementMs?: number
  /** How long what stores many rows may wait for a lock before the database ends it. Others wait on its one connection. */
  readonly lockMs?: number
  /** How long a transaction may pause between its statements before the database ends its connection. */
  readonly pauseMs?: number
  /** How long the database may be silent, and how long it may then take to answer to a new connection. */
  readonly silence?: WatchTimes
}

const PATIENCE_MS = 10_000
/** Longer than any request should take, and short enough that a few bad ones do not keep all connections. */
const STATEMENT_MS = 60_000
const LOCK_MS = 5_000
/** Longer than any transaction computes, so that it only ends those of a process that is frozen or out of reach. */
const PAUSE_MS = 300_000
const SILENCE: WatchTimes = { quietMs: 5_000, probeMs: 5_000 }

type Times = Required<Omit<PostgresOptions, 'maxConnections'>>
export const TIMES: Times = {
  patienceMs: PATIENCE_MS,
  statementMs: STATEMENT_MS,
  lockMs: LOCK_MS,
  pauseMs: PAUSE_MS,
  silence: SILENCE,
}
/** PostgreSQL's value for no limit. */
export const UNLIMITED = 0

/** Connections for one purpose. */
export interface Connections {
  readonly pool: Pool
  readonly watch: AnswerWatch
  readonly statementMs: number
  /** Sessions that the next connection ends. */
  readonly abandoned?: AbandonedSessions
}

export function openConnections(
  url: string,
  max: number,
  watch: AnswerWatch,
  times: Times,
  abandoned?: AbandonedSessions,
): Connections {
  const pool = new Pool({
    connectionString: checkUrl(url),
    max,
    connectionTimeoutMillis: times.patienceMs,
    keepAlive: true,
    application_name: 'holdfast',
    types: { getTypeParser: (oid: number) => parserOf(oid) },
    // The pool limits the time to connect, and not that of what comes before the first use.
    onConnect: (client) =>
      watch.ask(times.patienceMs, async () => {
        await prepareClient(client, times)
        if (abandoned === undefined) return
        await client.query(NOTE_DATABASE)
        await abandoned.begin(client)
      }),
  })
  // A connection lost while idle is removed by the pool; without a listener the event would end the process.
  pool.on('error', () => undefined)
  watchUse(pool)
  return { pool, watch, statementMs: times.statementMs, ...(abandoned && { abandoned }) }
}

/** The pool listens to a client only while it is idle; one lost while in use fails its statement, which is enough. */
async function prepareClient(client: ClientBase, { statementMs, lockMs, pauseMs }: Times): Promise<void> {
  client.on('error', () => undefined)
  await client.query(`${SESSION_SETTINGS}; SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs};
    SET idle_in_transaction_session_timeout = ${pauseMs}`)
}

function checkUrl(url: string): string {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return url
  throw new HoldfastError(
    'BAD_USER_INPUT',
    'The database URL cannot be read; it has the form postgres://user:password@host:5432/database',
  )
}

/** The needs of the work that has the connection. */
export interface Hold {
  /** It must not be used again. */
  discard(): void
  /** It is not given back before this has ended, which does not fail. The work itself may end before. */
  until(ended: Promise<void>): void
}

export async function withClient<T>(
  { pool, watch, abandoned }: Connections,
  work: (client: PoolClient, hold: Hold) => Promise<T>,
): Promise<T> {
  if (watch.isSilent) throw new NotAsked(NOTHING_KEPT.silent)
  const client = await pool.connect().catch((cause: unknown) => {
    if (!isFull(pool)) watch.missed()
    throw unreachable(pool, cause)
  })
  let broken = false
  let held: Promise<void> | null = null
  const discard = (): void => {
    broken = true
  }
  const until = (ended: Promise<void>): void => {
    held = ended
  }
  const release = (): void => client.release(broken)
  try {
    return await work(client, { discard, until })
  } catch (error) {
    // Where the connection was lost, the database may still go on with what it was asked.
    if (mayBeKept(error)) abandoned?.add(client)
    throw error
  } finally {
    if (held === null) release()
    else void (held as Promise<void>).then(release)
  }
}
