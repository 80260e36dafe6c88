import type { Database } from '../db/sql.ts'
import { Semaphore } from './semaphore.ts'

/**
 * The same database for work that may use only so many connections at once, so that it leaves some for all others. What
 * is more waits in line. The scripts of a start, and what has connections of its own, are left as they are.
 */
export function onFewConnections(database: Database, most: number): Database {
  const turns = new Semaphore(most)
  return {
    ...database,
    read: (work) => turns.run(() => database.read(work)),
    transaction: (work) => turns.run(() => database.transaction(work)),
    rows: (shape, text, values) => turns.run(() => database.rows(shape, text, values)),
    statement: (text, values) => turns.run(() => database.statement(text, values)),
  }
}
