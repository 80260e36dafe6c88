import { HoldfastError } from '../lib/errors.ts'
import { checkUuid, isUuid } from '../lib/uuid.ts'

export { checkUuid }

/** Checks a text, because PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
export function checkText(text: string, name: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `${name} contains a character that cannot be stored (U+0000, or half of a surrogate pair)`,
  )
}

/** Checks a name of a record, which is its key or its uuid. */
export function checkName(text: string, name: string): string {
  const uuid = text.toLowerCase()
  return isUuid(uuid) ? uuid : checkText(text, name)
}

/** The maximum number of entries of a list that selects things. */
export const MOST_LISTED = 1_000

/** Limits the length of a list that selects things, because each entry is looked up each time the list is used. */
export function checkListed<Entry>(list: readonly Entry[], name: string): readonly Entry[] {
  if (list.length <= MOST_LISTED) return list
  const [given, most] = [list.length, MOST_LISTED].map((count) => count.toLocaleString('en-US'))
  const message = `${name} has ${given} entries, and ${most} are the most at once`
  throw new HoldfastError('LIMIT_EXCEEDED', message)
}

export function checkUuids(uuids: readonly string[], name: string): readonly string[] {
  return checkListed(uuids, name).map((uuid) => checkUuid(uuid, name))
}

/** Checks a list of names. In messages, `list` is the name of the list, and `name` the name of an entry. */
export function checkNames(names: readonly string[], list: string, name: string): readonly string[] {
  return checkListed(names, list).map((one) => checkName(one, name))
}
