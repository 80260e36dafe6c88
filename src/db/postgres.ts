import { Pool } from 'pg'
import type { ClientBase, PoolClient, QueryResult } from 'pg'
import { HoldfastError } from '../lib/errors.ts'
import { AbandonedSessions } from './abandoned-sessions.ts'
import { AnswerWatch, Unanswered, type WatchTimes } from './answer-watch.ts'
import { INT4, TEXT } from './columns.ts'
import { NOTE_DATABASE } from './database-identity.ts'
import { isFull, loadOf, unreachable, watchUse } from './pool-load.ts'
import { copyIn, copyOut } from './postgres-copy.ts'
import { BEGIN_READ, BEGIN_WRITE, createNestingGuard, runTransaction } from './run-transaction.ts'
import type { Connection } from './run-transaction.ts'
import { toRows, type Result } from './row-shape.ts'
import { NOTHING_KEPT, PERHAPS_KEPT, PERHAPS_STORED, rethrow, type Fate } from './postgres-errors.ts'
import { reachPostgres } from './reach-postgres.ts'
import type { Database, SqlValue, Transaction } from './sql.ts'
import { mayBeKept, NotAsked } from './sql-error.ts'
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
  /** How long the database may be silent, and how long it may then take to answer to a new connection. */
  readonly silence?: WatchTimes
}

const PATIENCE_MS = 10_000
/** Longer than any request should take, and short enough that a few bad ones do not keep all connections. */
const STATEMENT_MS = 60_000
const LOCK_MS = 5_000
/** Longer than any transaction computes, so that it only ends those of a process that is frozen or out of reach. */
const PAUSE_MS = 300_000
/** What stores many rows is short, many wait for it, and their senders ask again after half a minute. */
const STORING_MS = 15_000
/** A statement that the database should have ended by itself is waited for this much longer. */
const GRACE_MS = 5_000
const SILENCE: WatchTimes = { quietMs: 5_000, probeMs: 5_000 }
const OLDEST_VERSION = 15

export async function openPostgres(url: string, { maxConnections, ...given }: PostgresOptions): Promise<Database> {
  const times = { ...TIMES, ...given }
  const watch = new AnswerWatch(times.silence, (ms) => reachPostgres(url, ms))
  const common = open(url, maxConnections, watch, { ...times, lockMs: UNLIMITED })
  try {
    await checkServer(common.pool)
  } catch (error) {
    watch.end()
    await common.pool.end()
    throw error
  }
  const ofStoring = { ...times, statementMs: Math.min(times.statementMs, STORING_MS) }
  return createDatabase(common, open(url, 1, watch, ofStoring, new AbandonedSessions()))
}

type Times = Required<Omit<PostgresOptions, 'maxConnections'>>
const TIMES: Times = {
  patienceMs: PATIENCE_MS,
  statementMs: STATEMENT_MS,
  lockMs: LOCK_MS,
  pauseMs: PAUSE_MS,
  silence: SILENCE,
}
/** What PostgreSQL takes for no limit. */
const UNLIMITED = 0

/** Connections for one purpose. */
interface Connections {
  readonly pool: Pool
  readonly watch: AnswerWatch
  readonly statementMs: number
  /** Sessions that must have ended before another connection is used. */
  readonly abandoned?: AbandonedSessions
}

function open(url: string, max: number, watch: AnswerWatch, times: Times, abandoned?: AbandonedSessions): Connections {
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
function createDatabase(common: Connections, apart: Connections): Database {
  const { pool, watch } = common
  const guard = createNestingGuard()
  const run = <T>(begin: string, work: (sql: Transaction) => Promise<T>): Promise<T> =>
    guard(() => withConnection(common, (connection) => runTransaction(connection, begin, work)))
  return {
    read: (work) => run(BEGIN_READ, work),
    transaction: (work) => run(BEGIN_WRITE, work),
    rows: (shape, text, values = []) => guard(async () => toRows(shape, await runAlone(common, text, values), text)),
    rowsApart: (shape, text, values = []) =>
      guard(async () => toRows(shape, await runAlone(apart, text, values, PERHAPS_STORED), text)),
    statement: (text, values = []) => guard(async () => (await runAlone(common, text, values)).rows),
    script: (text) =>
      guard(() =>
        withConnection(common, async (connection) => {
          await connection.script(text)
        }),
      ),
    load: () => ({
      ...loadOf(pool),
      isUp: watch.isUp,
      oldestMs: watch.oldestMs,
      unanswered: watch.unanswered,
    }),
    close: async () => {
      watch.end()
      if (!pool.ending) await Promise.all([pool.end(), apart.pool.end()])
    },
  }
}

function withConnection<T>(connections: Connections, work: (connection: Connection) => Promise<T>): Promise<T> {
  return withClient(connections, (client, discard) => work(connect(client, connections, discard)))
}

async function withClient<T>(
  { pool, watch, abandoned }: Connections,
  work: (client: PoolClient, discard: () => void) => Promise<T>,
): Promise<T> {
  if (watch.isSilent) throw new NotAsked(NOTHING_KEPT.silent)
  const client = await pool.connect().catch((cause: unknown) => {
    if (!isFull(pool)) watch.missed()
    throw unreachable(pool, cause)
  })
  let broken = false
  const discard = (): void => {
    broken = true
  }
  try {
    return await work(client, discard)
  } catch (error) {
    // Where the connection was lost, the database may still go on with what it was asked.
    if (mayBeKept(error)) abandoned?.add(client)
    throw error
  } finally {
    client.release(broken)
  }
}

function connect(client: PoolClient, connections: Connections, discard: () => void): Connection {
  let limitMs = connections.statementMs + GRACE_MS
  let isLost = false
  const giveUp = (): void => {
    isLost = true
    discard()
  }
  const ask = <T>(question: () => Promise<T>): Promise<T> =>
    isLost ? Promise.reject(new Unanswered()) : askIn(connections, limitMs, question, giveUp)
  // One statement at a time: pg 9 will no longer queue them.
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = <T>(run: () => Promise<T>, fate: Fate): Promise<T> => {
    const next = last.then(() => ask(run)).catch((error: unknown) => rethrow(error, fate))
    last = next.catch(() => undefined)
    return next
  }
  const script: Connection['script'] = (text) =>
    inOrder(() => runScript(client, text), text === 'COMMIT' ? PERHAPS_KEPT : NOTHING_KEPT)
  return {
    script,
    query: (text, values) => inOrder(() => runStatement(client, text, values), NOTHING_KEPT),
    limit: async (ms) => {
      limitMs = ms + GRACE_MS
      await script(`SET LOCAL statement_timeout = ${ms}`)
    },
    copyIn: (text, data) => inOrder(() => copyIn(client, text, data), NOTHING_KEPT),
    copyOut: (text) => inOrder(() => copyOut(client, text), NOTHING_KEPT),
    discard,
  }
}

/** Asks the database, and gives the connection up where no answer comes: what is asked next would wait behind it. */
async function askIn<T>(
  { watch }: Connections,
  ms: number,
  question: () => Promise<T>,
  discard: () => void,
): Promise<T> {
  return watch.ask(ms, question).catch((error: unknown) => {
    if (error instanceof Unanswered) discard()
    throw error
  })
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
  name?: string,
): Promise<Result> {
  // Extended even without parameters, so that one text is one statement on both drivers.
  const config = { text, values: values.map(encode), queryMode: 'extended', ...(name !== undefined && { name }) }
  return client.query<object>(config)
}

function runAlone(
  connections: Connections,
  text: string,
  values: readonly SqlValue[],
  fate = NOTHING_KEPT,
): Promise<Result> {
  const limitMs = connections.statementMs + GRACE_MS
  return withClient(connections, (client, discard) =>
    askIn(connections, limitMs, () => runStatement(client, text, values, nameOf(text)), discard).catch(
      (error: unknown) => rethrow(error, fate),
    ),
  )
}

async function runScript(client: PoolClient, text: string): Promise<string | undefined> {
  // A script of several statements gives several results, which the types of pg do not say.
  const results: QueryResult | QueryResult[] = await client.query(text)
  return (Array.isArray(results) ? results.at(-1) : results)?.command
}

function encode(value: SqlValue): unknown {
  return Array.isArray(value) ? encodeTextArray(value) : value
}
