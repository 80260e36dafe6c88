import { HoldfastError } from '../lib/errors.ts'
import { checkUuid, isUuid } from '../lib/uuid.ts'

export { checkUuid }

/** Checks a text, because PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
export function checkText(text: string, name: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${name} holds a character that no text here can have (U+0000, or half of a surrogate pair)`,
  )
}

/** Checks a name of a record, which is its key or its uuid. */
export function checkName(text: string, name: string): string {
  const uuid = text.toLowerCase()
  return isUuid(uuid) ? uuid : checkText(text, name)
}

export function checkUuids(uuids: readonly string[], name: string): readonly string[] {
  return uuids.map((uuid) => checkUuid(uuid, name))
}

export function checkNames(names: readonly string[], name: string): readonly string[] {
  return names.map((one) => checkName(one, name))
}
