import { HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'

/** The SQLSTATE of a row whose key is there already. */
export const UNIQUE_VIOLATION = '23505'

/** The SQLSTATE of a transaction that gave up waiting for a lock. */
export const LOCK_NOT_AVAILABLE = '55P03'

/** The SQLSTATE of a transaction that was ended because it and another one waited for each other. */
export const DEADLOCK_DETECTED = '40P01'

/** The SQLSTATE of a failed statement (PostgreSQL manual, appendix A), the same from both drivers. */
export function sqlState(error: unknown): string | undefined {
  const code = isObject(error) ? error['code'] : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** The database was not asked at all. */
export class NotAsked extends HoldfastError {
  constructor(message: string, options?: { readonly cause: unknown }) {
    super('UNAVAILABLE', message, options)
  }
}

/**
 * The classes of errors that end a statement and not its session: bad data, broken rules, wrong SQL, full limits, locks, and a
 * statement that was cancelled. The severity says so too, in the language of the server.
 */
const FAILED_STATEMENT = /^(?:2[23]|4[24]|40(?!003)|5[45]|57014)/

/**
 * Whether the database may have kept the work that failed, or may still be about to. Not where it has itself answered that
 * the work failed.
 */
export function mayBeKept(error: unknown): boolean {
  if (error instanceof NotAsked) return false
  const cause = error instanceof Error ? error.cause : undefined
  return ![error, cause].some(
    (one) => isObject(one) && (one['severity'] === 'ERROR' || FAILED_STATEMENT.test(sqlState(one) ?? '')),
  )
}
