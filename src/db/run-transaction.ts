import { AsyncLocalStorage } from 'node:async_hooks'
import { toRows, type Result } from './row-shape.ts'
import type { SqlValue, Transaction } from './sql.ts'

/** One connection to a database, as its driver offers it. */
export interface Connection {
  query(text: string, values: readonly SqlValue[]): Promise<Result>
  /** Runs several statements; the result is the command tag of the last. */
  script(text: string): Promise<string | undefined>
  /** Gives the statements of this transaction another time than others have. */
  limit(ms: number): Promise<void>
  copyIn(text: string, data: Uint8Array): Promise<void>
  copyOut(text: string): Promise<Uint8Array>
  /** Called when the connection cannot even roll back, after which it must not be used again. */
  discard(): void
}

export const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY'
export const BEGIN_WRITE = 'BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE'

export async function runTransaction<T>(
  connection: Connection,
  begin: string,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> {
  const opening = new Opening(connection, begin)
  const handle = openHandle(connection, opening)
  try {
    const result = await work(handle.sql)
    handle.close()
    if (opening.isBegun) await commit(connection, opening)
    return result
  } catch (error) {
    handle.close()
    if (opening.isBegun) await connection.script('ROLLBACK').catch(() => connection.discard())
    throw error
  }
}

/**
 * The beginning of a transaction, which goes to the database before its first statement. Where it fails there may be no
 * transaction, so it fails for everything after it, too.
 */
class Opening {
  readonly #connection: Connection
  readonly #text: string
  #done: Promise<unknown> | null = null

  constructor(connection: Connection, text: string) {
    this.#connection = connection
    this.#text = text
  }

  get isBegun(): boolean {
    return this.#done !== null
  }

  /** Begins unless that was done; with a script that follows at once. */
  async run(script?: string): Promise<void> {
    const text = script === undefined ? this.#text : `${this.#text}; ${script}`
    this.#done ??= this.#connection.script(text)
    await this.#done
  }
}

/** COMMIT of a transaction in which a statement failed "succeeds" with the tag ROLLBACK and keeps nothing. */
async function commit(connection: Connection, opening: Opening): Promise<void> {
  await opening.run()
  const tag = await connection.script('COMMIT')
  if (tag !== 'COMMIT') throw new Error('Nothing was committed: a statement failed and its error was not passed on')
}

/** A handle that is kept beyond its transaction would run statements in the next one, so it stops working. */
function openHandle(connection: Connection, opening: Opening): { sql: Transaction; close(): void } {
  let open = true
  const check = (): void => {
    if (!open) throw new Error('This transaction has ended; its handle cannot be used any more')
  }
  // While the transaction was beginning, its work may have ended, and what is sent after its end stands in no transaction.
  const within = async <T>(send: (begun: Connection) => Promise<T>): Promise<T> => {
    check()
    await opening.run()
    check()
    return send(connection)
  }
  const script = (text: string) => within(async (begun) => void (await begun.script(text)))
  const sql: Transaction = {
    rows: async (shape, text, values = []) => toRows(shape, await within((begun) => begun.query(text, values)), text),
    query: async (text, values = []) => (await within((begun) => begun.query(text, values))).rows,
    limit: (ms) => within((begun) => begun.limit(ms)),
    // A text of its own: Citus hands the text in which SET LOCAL stands on to other machines (docs/decisions/0041).
    setLocal: (settings) => script(Object.entries(settings).map(settingText).join('; ')),
    async lockAfter(savepoint, lock) {
      check()
      const text = `SAVEPOINT ${savepoint}; ${lock}`
      await (opening.isBegun ? script(text) : opening.run(text))
    },
    script,
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

function settingText([name, value]: [string, string]): string {
  return `SET LOCAL ${name} = '${value.replaceAll("'", "''")}'`
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
