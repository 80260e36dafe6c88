import { isMovedAway, DEADLOCK_DETECTED, SERIALIZATION_FAILURE, sqlState } from '../sql-error.ts'

const ATTEMPTS = 3

/**
 * Runs a transaction or statement again if the database ended it because of another one. Then it has stored nothing,
 * and the caller has no answer yet. On Citus, two transactions can wait for each other on different machines, even if
 * they lock in the same order. And a domain can move after a statement was planned and before it runs.
 */
export async function runAgain<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const state = sqlState(error)
      const isEnded = state === DEADLOCK_DETECTED || state === SERIALIZATION_FAILURE || isMovedAway(error)
      if (attempt === ATTEMPTS || !isEnded) throw error
    }
  }
}
