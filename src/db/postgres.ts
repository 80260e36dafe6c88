import { Pool } from 'pg'
import type { ClientBase, PoolClient, QueryResult } from 'pg'
import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { INT4, TEXT } from './columns.ts'
import { loadOf, unreachable, watch } from './pool-load.ts'
import { copyIn, copyOut } from './postgres-copy.ts'
import { BEGIN_READ, BEGIN_WRITE, createNestingGuard, runTransaction } from './run-transaction.ts'
import type { Connection } from './run-transaction.ts'
import { toRows, type Result } from './row-shape.ts'
import type { Database, SqlValue } from './sql.ts'
import { sqlState } from './sql-error.ts'
import { storageError } from './storage-error.ts'
import { encodeTextArray, parserOf, SESSION_SETTINGS } from './values.ts'

export interface PostgresOptions {
  readonly maxConnections: number
  /** How long work waits for a connection before it fails as UNAVAILABLE. */
  readonly patienceMs?: number
  /** How long a statement may take before the database ends it. Whoever waits for a lock waits within this time. */
  readonly statementMs?: number
  /** How long what stores many rows may wait for a lock before the database ends it. Others wait on its one connection. */
  readonly lockMs?: number
  /** How long a transaction may pause between its statements before the database ends its connection. */
  readonly pauseMs?: number
}

const PATIENCE_MS = 10_000
/** Longer than any request should take, and short enough that a few bad ones do not keep all connections. */
const STATEMENT_MS = 60_000
const LOCK_MS = 5_000
/** Longer than any transaction computes, so that it only ends those of a process that is frozen or out of reach. */
const PAUSE_MS = 300_000
const OLDEST_VERSION = 15

export async function openPostgres(url: string, { maxConnections, ...given }: PostgresOptions): Promise<Database> {
  const times = { patienceMs: PATIENCE_MS, statementMs: STATEMENT_MS, lockMs: LOCK_MS, pauseMs: PAUSE_MS, ...given }
  const pool = createPool(url, maxConnections, { ...times, lockMs: UNLIMITED })
  try {
    await checkServer(pool)
  } catch (error) {
    await pool.end()
    throw error
  }
  return createDatabase(pool, createPool(url, 1, times))
}

type Times = Required<Omit<PostgresOptions, 'maxConnections'>>
/** What PostgreSQL takes for no limit. */
const UNLIMITED = 0

function createPool(url: string, max: number, times: Times): Pool {
  const pool = new Pool({
    connectionString: checkUrl(url),
    max,
    connectionTimeoutMillis: times.patienceMs,
    keepAlive: true,
    application_name: 'holdfast',
    types: { getTypeParser: (oid: number) => parserOf(oid) },
    onConnect: (client) => prepareClient(client, times),
  })
  // A connection lost while idle is removed by the pool; without a listener the event would end the process.
  pool.on('error', () => undefined)
  watch(pool)
  return pool
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

const SERVER = { version: INT4, encoding: TEXT }
const SELECT_SERVER = `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`

async function checkServer(pool: Pool): Promise<void> {
  const result = await pool.query<object>(SELECT_SERVER).catch((cause: Error) => {
    const message = `The PostgreSQL server cannot be used: ${cause.message}. Check the database URL and the server`
    throw new HoldfastError('UNAVAILABLE', message, { cause })
  })
  const [server] = toRows(SERVER, result, SELECT_SERVER)
  const major = Math.floor((server?.version ?? 0) / 10_000)
  if (major < OLDEST_VERSION) {
    throw new HoldfastError('UNAVAILABLE', `PostgreSQL ${major} is too old; ${OLDEST_VERSION} or newer is needed`)
  }
  if (server?.encoding !== 'UTF8') {
    throw new HoldfastError('UNAVAILABLE', `The database has the encoding ${server?.encoding}; UTF8 is needed`)
  }
}

/** The pool `apart` runs what stores many rows and nothing else, so that this never waits behind requests. */
function createDatabase(pool: Pool, apart: Pool): Database {
  const guard = createNestingGuard()
  return {
    read: (work) => guard(() => withConnection(pool, (connection) => runTransaction(connection, BEGIN_READ, work))),
    transaction: (work) =>
      guard(() => withConnection(pool, (connection) => runTransaction(connection, BEGIN_WRITE, work))),
    rows: (shape, text, values = []) => guard(async () => toRows(shape, await runAlone(pool, text, values), text)),
    rowsApart: (shape, text, values = []) =>
      guard(async () => toRows(shape, await runAlone(apart, text, values, LOST_AT_COMMIT), text)),
    statement: (text, values = []) => guard(async () => (await runAlone(pool, text, values)).rows),
    copyIn: (text, data) => guard(() => withConnection(apart, (connection) => connection.copyIn(text, data))),
    script: (text) =>
      guard(() =>
        withConnection(pool, async (connection) => {
          await connection.script(text)
        }),
      ),
    load: () => loadOf(pool),
    close: async () => {
      if (!pool.ending) await Promise.all([pool.end(), apart.end()])
    },
  }
}

function withConnection<T>(pool: Pool, work: (connection: Connection) => Promise<T>): Promise<T> {
  return withClient(pool, (client, discard) => work(connect(client, discard)))
}

async function withClient<T>(pool: Pool, work: (client: PoolClient, discard: () => void) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((cause: unknown) => {
    throw unreachable(pool, cause)
  })
  let broken = false
  const discard = (): void => {
    broken = true
  }
  try {
    return await work(client, discard)
  } finally {
    client.release(broken)
  }
}

function connect(client: PoolClient, discard: () => void): Connection {
  // One statement at a time: pg 9 will no longer queue them.
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(run: () => Promise<T>): Promise<T> => {
    const next = last.then(run)
    last = next.catch(() => undefined)
    return next
  }
  return {
    query: (text, values) => inOrder(() => runStatement(client, text, values)),
    script: (text) => inOrder(() => runScript(client, text)),
    copyIn: (text, data) =>
      inOrder(() => copyIn(client, text, data).catch((error: unknown) => rethrow(error, LOST_AT_COMMIT))),
    copyOut: (text) => inOrder(() => copyOut(client, text).catch((error: unknown) => rethrow(error, LOST))),
    discard,
  }
}

const names = new Map<string, string>()

/**
 * The name of the prepared statement for a text. Look-ups run the same few texts again and again, and to plan one of
 * them costs more than to run it. A text without a name is planned each time.
 */
function nameOf(text: string): string | undefined {
  const name = names.get(text) ?? `statement_${names.size}`
  // Texts that are built differently each time would fill the memory of the server.
  if (!names.has(text) && names.size < MOST_NAMES) names.set(text, name)
  return names.has(text) ? name : undefined
}
const MOST_NAMES = 100

/** A statement with a name is planned once on each connection. */
async function runStatement(
  client: PoolClient,
  text: string,
  values: readonly SqlValue[],
  { name, lost = LOST }: { readonly name?: string | undefined; readonly lost?: string } = {},
): Promise<Result> {
  // Extended even without parameters, so that one text is one statement on both drivers.
  const config = { text, values: values.map(encode), queryMode: 'extended', ...(name !== undefined && { name }) }
  return client.query<object>(config).catch((error: unknown) => rethrow(error, lost))
}

function runAlone(pool: Pool, text: string, values: readonly SqlValue[], lost = LOST): Promise<Result> {
  return withClient(pool, (client) => runStatement(client, text, values, { name: nameOf(text), lost }))
}

async function runScript(client: PoolClient, text: string): Promise<string | undefined> {
  // A script of several statements gives several results, which the types of pg do not say.
  const lost = text === 'COMMIT' ? LOST_AT_COMMIT : LOST
  const results: QueryResult | QueryResult[] = await client.query(text).catch((error: unknown) => rethrow(error, lost))
  return (Array.isArray(results) ? results.at(-1) : results)?.command
}

const LOST = 'The connection to the database was lost and nothing was changed; try again'
const LOST_AT_COMMIT =
  'The connection to the database was lost at the last moment: the change was made as a whole or not at all; ' +
  'look before you repeat it (an apply sent again with its id is never made twice)'

const TOO_LONG =
  'The database was at work on this, or waited for the work of others, for longer than it may, and has ended it; ' +
  'nothing was changed. Ask for less at once, or try again when less is going on'

const DISK = 'the disk of the database server'

/** PostgreSQL ends itself, and all connections with it, where it cannot write its log. */
function endsServer(error: unknown): boolean {
  return isObject(error) && (error['severity'] === 'PANIC' || error['severity'] === 'FATAL')
}

function brokenLog(lost: string, cause: unknown): HoldfastError {
  const message = `${DISK}, or that of its log (pg_wal), is full or fails, and PostgreSQL has ended itself: free some space there, and start it where it does not come back by itself. ${lost}`
  return new HoldfastError('UNAVAILABLE', message, { cause })
}

/**
 * Turns the faults of a disk and of a connection into errors that say what to do. Where the connection just ends, the
 * error of pg has no SQLSTATE; where the server ends it, the error has one of those below (25P03: it paused for too long).
 */
function rethrow(error: unknown, lost: string): never {
  const fault = storageError(error, DISK)
  if (fault !== null) throw endsServer(error) ? brokenLog(lost, error) : fault
  const state = sqlState(error)
  if (state === '57014') throw new HoldfastError('UNAVAILABLE', TOO_LONG, { cause: error })
  const ended = state === undefined ? ENDED_SOCKET : /^(08|57P0[1-5]|25P03|EPIPE)/
  if (!(error instanceof Error) || !ended.test(state ?? error.message)) throw error
  throw new HoldfastError('UNAVAILABLE', lost, { cause: error })
}

/** The operating system says why it gave a socket up; keepalive, for one, ends in ETIMEDOUT. */
const ENDED_SOCKET =
  /^connection terminated|not queryable|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENETRESET/i

function encode(value: SqlValue): unknown {
  return Array.isArray(value) ? encodeTextArray(value) : value
}
