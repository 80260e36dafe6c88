import { MAX_PAGE } from '../../graphql/record-inputs.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/uuid.ts'

export function checkUuid(text: string, name: string): string {
  const uuid = text.toLowerCase()
  if (isUuid(uuid)) return uuid
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

/** Of a record, by its key or uuid. */
export function checkName(text: string, name: string): string {
  const uuid = text.toLowerCase()
  return isUuid(uuid) ? uuid : checkText(text, name)
}

export function checkPageSize(first: number): void {
  if (first < 0) throw new HoldfastError('BAD_USER_INPUT', 'first must not be negative')
  if (first > MAX_PAGE)
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      `first is ${first}, and a page has at most ${MAX_PAGE}; ask for the next one with after`,
    )
}
