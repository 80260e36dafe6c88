import { LOCK_NOT_AVAILABLE, sqlState } from '../../../db/sql-error.ts'
import { HoldfastError } from '../../../lib/errors.ts'

export function isUnavailable(error: unknown): boolean {
  return error instanceof HoldfastError && error.code === 'UNAVAILABLE'
}

export function nodeAway(): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    // The batch may be stored if the node has begun to hang during its flush.
    'the database cannot reach its node with the data of this domain; try again in a moment, with the same Idempotency-Key or timestamps',
  )
}

const BUSY =
  'this server is folding its stored datapoints, which takes longer than usual; nothing of the batch was stored; try again in a moment'

/** Explains a lock timeout, and the refusal of U+0000, which the checks of values should have found. */
export function unstorable(error: unknown): unknown {
  const state = sqlState(error)
  if (state === LOCK_NOT_AVAILABLE) return new HoldfastError('UNAVAILABLE', BUSY, { cause: error })
  return state === '22021'
    ? new HoldfastError('BAD_USER_INPUT', 'a text holds a character that cannot be stored: U+0000', { cause: error })
    : error
}
