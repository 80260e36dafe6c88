import { DEADLOCK_DETECTED, SERIALIZATION_FAILURE, sqlState } from '../sql-error.ts'

const ATTEMPTS = 3

/**
 * Runs a transaction again if the database ended it because of another one. It kept nothing then, and the caller has no
 * answer yet. On Citus, two transactions can wait for each other on different machines, whatever their order.
 */
export async function runAgain<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const state = sqlState(error)
      if (attempt === ATTEMPTS || (state !== DEADLOCK_DETECTED && state !== SERIALIZATION_FAILURE)) throw error
    }
  }
}
