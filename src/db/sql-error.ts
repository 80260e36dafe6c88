import { isObject } from '../lib/json.ts'

/** The SQLSTATE of a row whose key is there already. */
export const UNIQUE_VIOLATION = '23505'

/** The SQLSTATE of a failed statement (PostgreSQL manual, appendix A), the same from both drivers. */
export function sqlState(error: unknown): string | undefined {
  const code = isObject(error) ? error['code'] : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/**
 * Whether the database itself has answered that the work failed, so that nothing of it was kept or ever will be. Where
 * the answer was lost, nobody knows. The severity may be in the language of the server, which then counts as unknown.
 */
export function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return [error, cause].some((one) => isObject(one) && one['severity'] === 'ERROR')
}
