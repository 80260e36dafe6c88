import type { PoolClient } from 'pg'
import { toRows, type Result } from '../row-shape.ts'
import { createNestingGuard, limitText, runReading, runWriting, type Connection } from '../run-transaction.ts'
import { type Database, type SqlValue, encodeValue } from '../sql.ts'
import {
  AbandonedSessions,
  openConnections,
  TIMES,
  UNLIMITED,
  withClient,
  type Connections,
  type Hold,
  type PostgresOptions,
} from './connections.ts'
import { AnswerWatch, Unanswered } from './answer-watch.ts'
import { checkServer, reachPostgres } from './check-server.ts'
import { loadOf } from './pool-load.ts'
import { NodeWatch } from './node-watch.ts'
import { copyIn, copyOut } from './postgres-copy.ts'
import { faultOf, NOTHING_KEPT, PERHAPS_KEPT, PERHAPS_STORED } from './postgres-errors.ts'
import { runAgain } from './run-again.ts'
import { runTogether } from './run-together.ts'
import { StatementQueue } from './statement-queue.ts'
import { WaitingLine } from './turns.ts'

/** The time limit of statements that store rows. They are short, many wait for them, and clients retry after 30 s. */
const STORING_MS = 15_000
/** The additional time to wait for the end of a statement after its time limit in the database. */
const GRACE_MS = 5_000

export async function openPostgres(url: string, { maxConnections, ...given }: PostgresOptions): Promise<Database> {
  const times = { ...TIMES, ...given }
  const watch = new AnswerWatch(times.silence, (ms) => reachPostgres(url, ms))
  const common = openConnections(url, maxConnections, watch, { ...times, lockMs: UNLIMITED })
  const { isDistributed } = await checkServer(common.pool).catch(async (error: unknown) => {
    watch.end()
    await common.pool.end()
    throw error
  })
  const ofStoring = { ...times, statementMs: Math.min(times.statementMs, STORING_MS) }
  const apart = openConnections(url, 1, watch, ofStoring, new AbandonedSessions())
  const database = createDatabase(common, apart, openConnections(url, 1, watch, ofStoring))
  if (!isDistributed) return database
  const nodes = new NodeWatch(url, watch)
  const close = (): Promise<void> => {
    nodes.end()
    return database.close()
  }
  return { ...database, isDistributed, away: () => nodes.away, close }
}

/** The pool `apart` only stores many rows at once, and `ready` runs signs of life. Both never wait behind requests. */
function createDatabase(common: Connections, apart: Connections, ready: Connections): Database {
  const { pool, watch } = common
  const guard = createNestingGuard()
  const turns = linesOf(common)
  return {
    turns,
    read: (work) => guard(() => withConnection(common, (connection) => runReading(connection, work))),
    transaction: (work) =>
      guard(() => runAgain(() => withConnection(common, (connection) => runWriting(connection, work)))),
    rows: (shape, text, values = []) => guard(async () => toRows(shape, await runAlone(common, text, values), text)),
    rowsApart: (shape, text, values = []) =>
      guard(async () => toRows(shape, await runAlone(apart, text, values, PERHAPS_STORED), text)),
    rowsAtOnce: (shape, text, values = []) =>
      guard(async () => toRows(shape, await runAlone(ready, text, values), text)),
    statement: (text, values = []) => guard(async () => (await runAlone(common, text, values)).rows),
    script: (text) => guard(() => withConnection(common, (connection) => connection.script(text))),
    load: () => ({
      ...loadOf(pool, turns.model.waiting + turns.access.waiting),
      isUp: watch.isUp,
      oldestMs: watch.oldestMs,
      unanswered: watch.unanswered,
    }),
    close: async () => {
      watch.end()
      if (!pool.ending) await Promise.all([pool.end(), apart.pool.end(), ready.pool.end()])
    },
  }
}

/** Limits the shares of connections so that two domains with long locks leave connections for all other work. */
function linesOf({ pool, statementMs }: Connections) {
  const { max } = pool.options
  const share = (part: number): number => Math.max(1, Math.min(max - 1, Math.ceil(max * part)))
  const common = { mostWaiting: 1_000, patienceMs: statementMs / 2 }
  const ofModel = {
    mostOfOne: share(0.3),
    mostOfAll: share(0.6),
    meanwhile: 'the model of this domain is being changed',
  }
  const ofAccess = { mostOfOne: 1, mostOfAll: share(0.2), meanwhile: 'access to this domain is being changed' }
  return { model: new WaitingLine({ ...common, ...ofModel }), access: new WaitingLine({ ...common, ...ofAccess }) }
}

function withConnection<T>(connections: Connections, work: (connection: Connection) => Promise<T>): Promise<T> {
  return withClient(connections, (client, hold) => work(connect(client, connections, hold)))
}

function connect(client: PoolClient, connections: Connections, hold: Hold): Connection {
  let limitMs = connections.statementMs
  let isLost = false
  let domainId: number | null = null
  const giveUp = (): void => {
    isLost = true
    hold.discard()
  }
  const ask = <T>(question: () => Promise<T>, ms: number): Promise<T> =>
    isLost ? Promise.reject(new Unanswered()) : askIn(connections, ms + GRACE_MS, question, giveUp, domainId)
  const queue = new StatementQueue({
    together: (statements, ms) => ask(() => runTogether(client, statements), ms),
    alone: (run, ms) => ask(run, ms),
  })
  const commit = async (): Promise<string> => (await queue.query('COMMIT', [], limitMs, PERHAPS_KEPT)).command
  return {
    query: (text, values) => queue.query(text, values, limitMs),
    async ahead(texts, how) {
      domainId = texts.map(domainIn).find((id) => id !== null) ?? domainId
      for (const [index, text] of texts.entries()) queue.ahead(text, how?.mayWait === true && index === 0 ? limitMs : 0)
    },
    script: (text) => queue.alone(() => runScript(client, text), limitMs),
    async limit(ms) {
      limitMs = ms
      queue.ahead(limitText(ms), 0)
    },
    copyIn: (text, data) => queue.alone(() => copyIn(client, text, data), limitMs),
    copyOut: (text) => queue.alone(() => copyOut(client, text), limitMs),
    commit,
    async rollBack() {
      queue.drop()
      if (queue.isSent) await queue.query('ROLLBACK', [], limitMs).catch(() => hold.discard())
    },
    leave() {
      if (queue.hasFailed || queue.isAwaited) return false
      if (queue.isSent) hold.until(commit().then(() => undefined, hold.discard))
      else queue.drop()
      return true
    },
  }
}

/** Returns the domain that a statement enters. */
function domainIn(text: string): number | null {
  const [, id] = /^SET LOCAL holdfast\.domain_id = '(\d+)'$/.exec(text) ?? []
  return id === undefined ? null : Number(id)
}

/** Asks the database. If no answer comes, it gives up the connection, because the next statement would wait, too. */
async function askIn<T>(
  { watch }: Connections,
  ms: number,
  question: () => Promise<T>,
  discard: () => void,
  domainId: number | null = null,
): Promise<T> {
  return watch.ask(ms, question, domainId).catch((error: unknown) => {
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
  const run = (): Promise<Result> =>
    withClient(connections, (client, { discard }) =>
      askIn(connections, limitMs, () => runStatement(client, text, values, nameOf(text)), discard).catch(
        (error: unknown) => {
          throw faultOf(error, fate)
        },
      ),
    )
  return runAgain(run)
}

const names = new Map<string, string>()

/**
 * Returns the name of the prepared statement for a text. Look-ups run the same few texts again and again, and planning
 * one costs more than running it. A text without a name is planned each time.
 */
function nameOf(text: string): string | undefined {
  const name = names.get(text) ?? `statement_${names.size}`
  // The number is limited, because texts that differ each time would fill the memory of the server.
  if (!names.has(text) && names.size < MOST_NAMES) names.set(text, name)
  return names.has(text) ? name : undefined
}
const MOST_NAMES = 100

/** Runs a statement. A statement with a name is planned once on each connection. */
async function runStatement(
  client: PoolClient,
  text: string,
  values: readonly SqlValue[],
  name?: string,
): Promise<Result> {
  // The extended protocol is used even without parameters, so that both drivers accept only one statement per text.
  const config = { text, values: values.map(encodeValue), queryMode: 'extended', ...(name !== undefined && { name }) }
  return client.query<object>(config)
}

async function runScript(client: PoolClient, text: string): Promise<void> {
  await client.query(text)
}
