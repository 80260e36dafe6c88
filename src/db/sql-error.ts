import { isObject } from '../lib/json.ts'

function textMember(error: unknown, name: string): string | undefined {
  const value = isObject(error) ? error[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The SQLSTATE of a failed statement (PostgreSQL manual, appendix A), the same from both drivers. */
export function sqlState(error: unknown): string | undefined {
  const code = textMember(error, 'code')
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** The name of the constraint that a statement broke. */
export function brokenConstraint(error: unknown): string | undefined {
  return textMember(error, 'constraint')
}
