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
  const handle = openHandle(connection)
  try {
    await connection.script(begin)
    const result = await work(handle.sql)
    handle.close()
    await commit(connection)
    return result
  } catch (error) {
    handle.close()
    await connection.script('ROLLBACK').catch(() => connection.discard())
    throw error
  }
}

/** COMMIT of a transaction in which a statement failed "succeeds" with the tag ROLLBACK and keeps nothing. */
async function commit(connection: Connection): Promise<void> {
  const tag = await connection.script('COMMIT')
  if (tag !== 'COMMIT') throw new Error('Nothing was committed: a statement failed and its error was not passed on')
}

/** A handle that is kept beyond its transaction would run statements in the next one, so it stops working. */
function openHandle(connection: Connection): { sql: Transaction; close(): void } {
  let open = true
  const check = (): void => {
    if (!open) throw new Error('This transaction has ended; its handle cannot be used any more')
  }
  const sql: Transaction = {
    async rows(shape, text, values = []) {
      check()
      return toRows(shape, await connection.query(text, values), text)
    },
    async query(text, values = []) {
      check()
      return (await connection.query(text, values)).rows
    },
    async limit(ms) {
      check()
      await connection.limit(ms)
    },
    async setLocal(settings) {
      check()
      await connection.script(Object.entries(settings).map(settingText).join('; '))
    },
    async script(text) {
      check()
      await connection.script(text)
    },
    async copyIn(text, data) {
      check()
      await connection.copyIn(text, data)
    },
    async copyOut(text) {
      check()
      return connection.copyOut(text)
    },
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
