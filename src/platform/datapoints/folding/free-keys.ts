import { sqlState, UNIQUE_VIOLATION } from '../../../db/sql-error.ts'

/** No row meets so many others with keys that follow each other. */
const MOST_RAISED = 16

/**
 * Merges rows, and again with the generation of each new row raised where one would get the key of a row that stays. Readers
 * find rows by their generation and then look at that of each point, so a row may have a higher one than its points. `work`
 * is a transaction of its own.
 */
export async function withFreeKeys<T>(work: (raised: number) => Promise<T>): Promise<T> {
  for (let raised = 0; ; raised++) {
    try {
      return await work(raised)
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION || raised === MOST_RAISED) throw error
    }
  }
}
