import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'

/** The SQLSTATE of a row with a key that exists already. See {@link isUniqueViolation}. */
export const UNIQUE_VIOLATION = '23505'

/** The SQLSTATE of a transaction that stopped waiting for a lock. */
export const LOCK_NOT_AVAILABLE = '55P03'

/** The SQLSTATE of a transaction that was ended because of a deadlock. */
export const DEADLOCK_DETECTED = '40P01'

/** The SQLSTATE of a transaction that cannot run beside another one. */
export const SERIALIZATION_FAILURE = '40001'

/** Returns the SQLSTATE of a failed statement (PostgreSQL manual, appendix A). Both drivers have the same. */
export function sqlState(error: unknown): string | undefined {
  const code = isObject(error) ? error['code'] : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/**
 * Tells whether a row has a key that exists already. Citus reports that as an internal error if it sends the rows to a
 * node by COPY.
 */
export function isUniqueViolation(error: unknown): boolean {
  const state = sqlState(error)
  return (
    state === UNIQUE_VIOLATION || (state === 'XX000' && error instanceof Error && DUPLICATE_KEY.test(error.message))
  )
}

const DUPLICATE_KEY = /^duplicate key value violates unique constraint/

/** Citus reports a lost connection within a transaction, or at its commit, as an internal error. */
const LOST_NODE =
  /^(?:failure on connection marked as essential|could not commit transaction for shard|server closed the connection unexpectedly|could not receive data from server)/

/**
 * Tells whether a statement failed because a node of Citus is away (class 08). The server that we are connected to has
 * reported it and rolled back, so nothing was kept there. If our own connection is lost, the error has no SQLSTATE.
 */
export function isNodeAway(error: unknown): boolean {
  const cause = error instanceof HoldfastError ? error.cause : error
  const state = sqlState(cause) ?? ''
  return /^08(?!P01)/.test(state) || (state === 'XX000' && cause instanceof Error && LOST_NODE.test(cause.message))
}

/** Tells whether Citus has moved the rows of a statement to other shards after it planned the statement. */
export function isMovedAway(error: unknown): boolean {
  return error instanceof Error && /^could not find valid entry for shard \d+$/.test(error.message)
}

/** The error if no statement was sent to the database. */
export class NotAsked extends HoldfastError {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super('UNAVAILABLE', message, options)
  }
}

/**
 * The classes of errors that end a statement, but not its session: bad data, violated constraints, wrong SQL, exceeded
 * limits, locks, and cancelled statements. The severity is not used, because it is in the language of the server.
 */
const FAILED_STATEMENT = /^(?:2[23]|4[24]|40(?!003)|5[45]|57014)/

/**
 * Tells whether the database may have kept work that failed here, or may still keep it. It has not if the database
 * itself reported the failure.
 */
export function mayBeKept(error: unknown): boolean {
  if (error instanceof NotAsked) return false
  const cause = error instanceof Error ? error.cause : undefined
  return ![error, cause].some(
    (one) => isObject(one) && (one['severity'] === 'ERROR' || FAILED_STATEMENT.test(sqlState(one) ?? '')),
  )
}
