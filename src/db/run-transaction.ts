import { AsyncLocalStorage } from 'node:async_hooks'
import { toRows, type Result } from './row-shape.ts'
import type { LocalSettings, SqlValue, Transaction } from './sql.ts'

/** Returns a statement that limits the time of later statements. For PostgreSQL, 0 means no limit. */
export function limitText(ms: number): string {
  return `SET LOCAL statement_timeout = ${ms === Infinity ? 0 : ms}`
}

/** One connection to a database, implemented by each driver. */
export interface Connection {
  query(text: string, values: readonly SqlValue[]): Promise<Result>
  /**
   * Runs statements before the next one. Their results do not matter, only their success. They may be sent later,
   * together with the next statement. If one of them fails, all later statements fail without running. `mayWait`: they
   * may take as long as any other statement.
   */
  ahead(texts: readonly string[], how?: { readonly mayWait: boolean }): Promise<void>
  /** Runs several statements. */
  script(text: string): Promise<void>
  /** Sets another time limit for the statements of this transaction. */
  limit(ms: number): Promise<void>
  copyIn(text: string, data: Uint8Array): Promise<void>
  copyOut(text: string): Promise<Uint8Array>
  /** Commits, and returns the command tag. */
  commit(): Promise<string | undefined>
  /** Drops the unsent statements, and rolls back the others. If that fails, the connection must not be used again. */
  rollBack(): Promise<void>
  /** Ends a read-only transaction without waiting for its end. False if that is not possible. */
  leave?(): boolean
}

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'
const BEGIN_WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE'

type Work<T> = (sql: Transaction) => Promise<T>

export function runWriting<T>(connection: Connection, work: Work<T>): Promise<T> {
  return runTransaction(connection, BEGIN_WRITE, work, () => commit(connection))
}

/** Runs a read-only transaction. The caller does not wait for the commit, because it cannot change the result. */
export function runReading<T>(connection: Connection, work: Work<T>): Promise<T> {
  return runTransaction(connection, BEGIN_READ, work, async () => {
    if (connection.leave?.() !== true) await commit(connection)
  })
}

async function runTransaction<T>(
  connection: Connection,
  begin: string,
  work: Work<T>,
  end: () => Promise<void>,
): Promise<T> {
  const opening = new Opening(connection, begin)
  const handle = openHandle(connection, opening)
  try {
    const result = await work(handle.sql)
    handle.close()
    if (opening.isBegun) {
      await opening.run()
      await end()
    }
    return result
  } catch (error) {
    handle.close()
    if (opening.isBegun) await connection.rollBack()
    throw error
  }
}

/**
 * The beginning of a transaction: BEGIN, and everything else that must run ahead of other statements. If a part of it
 * fails, there may be no transaction or not the right settings, so all later statements fail, too.
 */
class Opening {
  readonly #connection: Connection
  readonly #begin: string
  #done: Promise<void> | null = null

  constructor(connection: Connection, begin: string) {
    this.#connection = connection
    this.#begin = begin
  }

  get isBegun(): boolean {
    return this.#done !== null
  }

  /** Begins the transaction, unless it has begun. */
  run(): Promise<void> {
    this.#done ??= this.#connection.ahead([this.#begin])
    return this.#done
  }

  /** Adds statements that must run ahead of all later ones. */
  goOn(send: () => Promise<void>): Promise<void> {
    this.#done = this.run().then(send)
    return this.#done
  }
}

/** Commits, and checks the tag: if a statement failed, COMMIT "succeeds" with the tag ROLLBACK and keeps nothing. */
async function commit(connection: Connection): Promise<void> {
  const tag = await connection.commit()
  if (tag !== 'COMMIT') throw new Error('Nothing was committed: a statement failed and its error was not passed on')
}

/** The message if a handle is used after the end of its transaction. */
export const HAS_ENDED = 'This transaction has ended; its handle cannot be used any more'

/** Makes a handle. It stops working at the end of its transaction, or it would run statements in the next one. */
function openHandle(connection: Connection, opening: Opening): { sql: Transaction; close(): void } {
  let open = true
  const check = (): void => {
    if (!open) throw new Error(HAS_ENDED)
  }
  // The work may end while the transaction begins. A statement that is sent after the end is in no transaction.
  const within = async <T>(send: (begun: Connection) => Promise<T>): Promise<T> => {
    check()
    await opening.run()
    check()
    return send(connection)
  }
  const ahead = async (texts: readonly string[], how?: { readonly mayWait: boolean }): Promise<void> => {
    check()
    await opening.goOn(async () => {
      check()
      await connection.ahead(texts, how)
    })
  }
  const sql: Transaction = {
    rows: async (shape, text, values = []) => toRows(shape, await within((begun) => begun.query(text, values)), text),
    query: async (text, values = []) => (await within((begun) => begun.query(text, values))).rows,
    limit: (ms) => within((begun) => begun.limit(ms)),
    // Each setting is a separate statement, because Citus passes the whole text with SET LOCAL on to other machines
    // (docs/decisions/0052).
    setLocal: (settings) => ahead(settingTexts(settings)),
    lockAfter: (savepoint, lock, settings = {}) =>
      ahead([`SAVEPOINT ${savepoint}`, lock, ...settingTexts(settings)], { mayWait: true }),
    script: (text) => within((begun) => begun.script(text)),
    copyIn: (text, data) => within((begun) => begun.copyIn(text, data)),
    copyOut: (text) => within((begun) => begun.copyOut(text)),
  }
  return {
    sql,
    close: () => {
      open = false
    },
  }
}

function settingTexts(settings: LocalSettings): string[] {
  return Object.entries(settings).map(([name, value]) => `SET LOCAL ${name} = '${value.replaceAll("'", "''")}'`)
}

export type NestingGuard = <T>(work: () => Promise<T>) => Promise<T>

/** Rejects work that is started inside other work of the same guard (see Database in sql.ts). */
export function createNestingGuard(): NestingGuard {
  const surrounding = new AsyncLocalStorage<{ running: boolean }>()
  return async (work) => {
    if (surrounding.getStore()?.running === true) {
      throw new Error('A transaction was started inside of another one; pass on the handle of the outer one instead')
    }
    const own = { running: true }
    try {
      return await surrounding.run(own, work)
    } finally {
      own.running = false
    }
  }
}
