import { isObject } from '../lib/json.ts'

/** The SQLSTATE of a failed statement (PostgreSQL manual, appendix A), the same from both drivers. */
export function sqlState(error: unknown): string | undefined {
  const code = isObject(error) ? error['code'] : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
