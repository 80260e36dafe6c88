import { HoldfastError } from '../../lib/errors.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export function checkUuid(text: string, name: string): string {
  if (UUID.test(text)) return text.toLowerCase()
  throw new HoldfastError('BAD_USER_INPUT', `${name} must be a UUID, not ${JSON.stringify(text)}`)
}

/** PostgreSQL stores no U+0000, and no half of a surrogate pair. */
export function checkText(text: string, name: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${name} holds a character that no text here can have (U+0000, or half of a surrogate pair)`,
  )
}
