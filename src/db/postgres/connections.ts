import { Socket } from 'node:net'
import { Client, Pool, type ClientBase, type ClientConfig, type PoolClient } from 'pg'
import { HoldfastError } from '../../lib/errors.ts'
import { NOTE_DATABASE } from '../database-identity.ts'
import { mayBeKept, NotAsked } from '../sql-error.ts'
import { parserOf, SESSION_SETTINGS } from '../values.ts'
import type { AnswerWatch, WatchTimes } from './answer-watch.ts'
import { isFull, unreachable, watchUse } from './pool-load.ts'
import { NOTHING_KEPT } from './postgres-errors.ts'
import { TEXT, INT4 } from '../columns.ts'
import { toRows, type RowOf } from '../row-shape.ts'

export interface PostgresOptions {
  readonly maxConnections: number
  /** The name of the process's sessions in PostgreSQL (connection-budget.ts). */
  readonly name?: string
  /** The time that work waits for a connection before it fails as UNAVAILABLE. */
  readonly patienceMs?: number
  /** The time after which the database ends a statement. A wait for a lock counts as well. */
  readonly statementMs?: number
  /**
   * The longest wait for a lock of a statement that stores many rows. Other statements wait for the only connection
   * meanwhile.
   */
  readonly lockMs?: number
  /** The longest pause between two statements of a transaction. Then the database ends the connection. */
  readonly pauseMs?: number
  /** The time that the database may be silent, and then the time in which it must answer a new connection. */
  readonly silence?: WatchTimes
}

const PATIENCE_MS = 10_000
/**
 * A limit beyond what any request should take. It is short enough that a few slow requests do not block all
 * connections.
 */
const STATEMENT_MS = 60_000
const LOCK_MS = 5_000
/** No transaction computes that long, so the limit only affects a process that hangs or cannot be reached. */
const PAUSE_MS = 300_000
const SILENCE: WatchTimes = { quietMs: 5_000, probeMs: 5_000 }

type Times = Required<Omit<PostgresOptions, 'maxConnections'>>
export const TIMES: Times = {
  name: 'holdfast',
  patienceMs: PATIENCE_MS,
  statementMs: STATEMENT_MS,
  lockMs: LOCK_MS,
  pauseMs: PAUSE_MS,
  silence: SILENCE,
}
/** The value of PostgreSQL for no limit. */
export const UNLIMITED = 0

/** Connections for one purpose. */
export interface Connections {
  readonly pool: Pool
  readonly watch: AnswerWatch
  readonly statementMs: number
  /** Sessions that the next new connection ends. */
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
    Client: PatientClient,
    connectionString: checkUrl(url),
    max,
    connectionTimeoutMillis: times.patienceMs,
    keepAlive: true,
    application_name: times.name,
    types: { getTypeParser: (oid: number) => parserOf(oid) },
    // The pool limits the time to connect, but not the time of the statements below.
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

/**
 * A client that fails at connecting if it cannot read a file of the address (sslrootcert, sslcert, sslkey). pg reads
 * these files in the constructor of the client. An error there is thrown inside the pool, and would end the process.
 */
class PatientClient extends Client {
  constructor(config?: ClientConfig) {
    try {
      super(config)
    } catch (error) {
      const socket = new Socket()
      socket.connect = () => socket.destroy(error instanceof Error ? error : new Error(String(error)))
      super({ stream: () => socket })
    }
  }
}

/**
 * The pool listens to errors only while a client is idle. If a client in use is lost, its statement fails anyway. The name is
 * set here, because an address can have another one, and other processes would not count the session.
 */
async function prepareClient(client: ClientBase, { name, statementMs, lockMs, pauseMs }: Times): Promise<void> {
  client.on('error', () => undefined)
  await client.query(`${SESSION_SETTINGS}; SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs};
    SET idle_in_transaction_session_timeout = ${pauseMs}; SET application_name = '${name}'`)
}

function checkUrl(url: string): string {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return url
  throw new HoldfastError(
    'BAD_USER_INPUT',
    'The database URL cannot be read; it has the form postgres://user:password@host:5432/database',
  )
}

/** The control that work has over its connection. */
export interface Hold {
  /** Closes the connection after the work, so that it is not used again. */
  discard(): void
  /** Returns the connection to the pool only after this promise, which must not reject. The work may end earlier. */
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
    // If the connection was lost, the database may still run the statement.
    if (mayBeKept(error)) abandoned?.add(client)
    throw error
  } finally {
    if (held === null) release()
    else void (held as Promise<void>).then(release)
  }
}

const SESSION = { pid: INT4, startedAt: TEXT }
type Session = RowOf<typeof SESSION>

const SELECT_SESSION = `select pid, backend_start::text as "startedAt" from pg_stat_activity where pid = pg_backend_pid()`
const END_SESSION = `select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_start::text = $2`

/**
 * The sessions of connections that were given up. The database may notice only after hours that they have no client,
 * and they keep their locks until then. So the next connection ends them. It does not wait for their end: a session
 * that hangs ends when it continues.
 */
export class AbandonedSessions {
  readonly #sessions = new WeakMap<ClientBase, Session>()
  readonly #abandoned = new Set<Session>()

  /** Notes the session of a new connection, and ends the sessions that were given up. */
  async begin(client: ClientBase): Promise<void> {
    const [session] = toRows(SESSION, await client.query<object>(SELECT_SESSION), SELECT_SESSION)
    if (session !== undefined) this.#sessions.set(client, session)
    for (const abandoned of this.#abandoned) {
      await client.query(END_SESSION, [abandoned.pid, abandoned.startedAt])
      this.#abandoned.delete(abandoned)
    }
  }

  add(client: ClientBase): void {
    const session = this.#sessions.get(client)
    if (session !== undefined) this.#abandoned.add(session)
  }
}
