import { hash } from 'node:crypto'
import { HoldfastError } from './errors.ts'
import { quoted } from './quoted.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Tells whether a text is a UUID in lower case, the form of the database. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Returns a UUID in lower case, as the database has it; throws if it is none. `name` names it in the message. */
export function checkUuid(text: string, name: string): string {
  const uuid = text.slice(0, 37).toLowerCase()
  if (isUuid(uuid)) return uuid
  throw new HoldfastError('BAD_USER_INPUT', `${name} must be a UUID, not ${quoted(text)}`)
}

/** Makes the same UUID for the same words (version 8, RFC 9562), so that a repeated creation makes no second object. */
export function stableUuid(...words: readonly string[]): string {
  const digits = hash('sha256', words.join('\n'), 'hex')
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
