import type { PoolClient } from 'pg'
import { toRows, type Result } from '../row-shape.ts'
import { BEGIN_READ, BEGIN_WRITE, createNestingGuard, runTransaction, type Connection } from '../run-transaction.ts'
import type { Database, SqlValue, Transaction } from '../sql.ts'
import { AbandonedSessions } from './abandoned-sessions.ts'
import { AnswerWatch, Unanswered } from './answer-watch.ts'
import { checkServer } from './check-server.ts'
import { openConnections, TIMES, UNLIMITED, withClient, type Connections, type PostgresOptions } from './connections.ts'
import { loadOf } from './pool-load.ts'
import { copyIn, copyOut } from './postgres-copy.ts'
import { NOTHING_KEPT, PERHAPS_KEPT, PERHAPS_STORED, rethrow, type Fate } from './postgres-errors.ts'
import { nameOf, runScript, runStatement } from './run-statement.ts'
import { reachPostgres } from './reach-postgres.ts'

/** What stores many rows is short, many wait for it, and their senders ask again after half a minute. */
const STORING_MS = 15_000
/** A statement that the database should have ended by itself is waited for this much longer. */
const GRACE_MS = 5_000

export async function openPostgres(url: string, { maxConnections, ...given }: PostgresOptions): Promise<Database> {
  const times = { ...TIMES, ...given }
  const watch = new AnswerWatch(times.silence, (ms) => reachPostgres(url, ms))
  const common = openConnections(url, maxConnections, watch, { ...times, lockMs: UNLIMITED })
  try {
    await checkServer(common.pool)
  } catch (error) {
    watch.end()
    await common.pool.end()
    throw error
  }
  const ofStoring = { ...times, statementMs: Math.min(times.statementMs, STORING_MS) }
  return createDatabase(common, openConnections(url, 1, watch, ofStoring, new AbandonedSessions()))
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
