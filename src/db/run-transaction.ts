import { AsyncLocalStorage } from 'node:async_hooks'
import { toRows, type Result } from './row-shape.ts'
import type { LocalSettings, SqlValue, Transaction } from './sql.ts'

/** The statement that limits the time of those after it. 0 is what PostgreSQL takes for no limit. */
export function limitText(ms: number): string {
  return `SET LOCAL statement_timeout = ${ms === Infinity ? 0 : ms}`
}

/** One connection to a database, as its driver offers it. */
export interface Connection {
  query(text: string, values: readonly SqlValue[]): Promise<Result>
  /**
   * Runs statements of which nothing but their success is of interest, before what is asked next. They may wait for that
   * and go along with it. Where one of them fails, whatever comes after it fails as well, and is not run. `mayWait`: they
   * may take as long as any statement.
   */
  ahead(texts: readonly string[], how?: { readonly mayWait: boolean }): Promise<void>
  /** Runs several statements. */
  script(text: string): Promise<void>
  /** Gives the statements of this transaction another time than others have. */
  limit(ms: number): Promise<void>
  copyIn(text: string, data: Uint8Array): Promise<void>
  copyOut(text: string): Promise<Uint8Array>
  /** Commits, and gives the tag of that. */
  commit(): Promise<string | undefined>
  /** Drops what was not sent yet, and takes back what was. A connection that cannot must not be used again. */
  rollBack(): Promise<void>
  /** Ends a transaction that only reads, without a wait for it. False where that is not possible. */
  leave?(): boolean
}

const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'
const BEGIN_WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE'

type Work<T> = (sql: Transaction) => Promise<T>

export function runWriting<T>(connection: Connection, work: Work<T>): Promise<T> {
  return runTransaction(connection, BEGIN_WRITE, work, () => commit(connection))
}

/** A reading is of one moment already, so its commit keeps nobody waiting. */
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
 * The beginning of a transaction, which goes to the database before its first statement, and whatever else comes ahead of
 * others. Where some of it fails there may be no transaction, or not the settings that it needs, so it fails for everything
 * after it, too.
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

  /** Begins unless that was done. */
  run(): Promise<void> {
    this.#done ??= this.#connection.ahead([this.#begin])
    return this.#done
  }

  /** Goes on with what comes ahead of all that is asked for from now on. */
  goOn(send: () => Promise<void>): Promise<void> {
    this.#done = this.run().then(send)
    return this.#done
  }
}

/** COMMIT of a transaction in which a statement failed "succeeds" with the tag ROLLBACK and keeps nothing. */
async function commit(connection: Connection): Promise<void> {
  const tag = await connection.commit()
  if (tag !== 'COMMIT') throw new Error('Nothing was committed: a statement failed and its error was not passed on')
}

/** The error if a handle is used after the end of its transaction. */
export const HAS_ENDED = 'This transaction has ended; its handle cannot be used any more'

/** A handle that is kept beyond its transaction would run statements in the next one, so it stops working. */
function openHandle(connection: Connection, opening: Opening): { sql: Transaction; close(): void } {
  let open = true
  const check = (): void => {
    if (!open) throw new Error(HAS_ENDED)
  }
  // While the transaction was beginning, its work may have ended, and what is sent after its end stands in no transaction.
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
    // Each is a statement of its own: Citus hands the text in which SET LOCAL stands on to other machines
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

/** Refuses work that is started from within other work of the same guard (see Database in sql.ts). */
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
