import { formatCount } from '../../lib/counted.ts'
import type { UnionType } from '../../lib/type-text.ts'
import type { ClientFields } from '../../records/record-type.ts'

/**
 * The changes of the types of fields that may break code which uses them, in words; null if there are none. A new option
 * breaks nothing, although code that handles every option may have to handle it, too.
 */
export function typeChange(before: ClientFields, after: ClientFields): string | null {
  const said = [...before].flatMap(([field, type]) => {
    const change = unionChange(type, after.get(field) ?? type)
    return change === null ? [] : [field === 'value' ? change : `${field} ${change}`]
  })
  return said.length === 0 ? null : said.join(', ')
}

function unionChange(before: UnionType, after: UnionType): string | null {
  // Most changes leave the type as it is.
  const isEqual =
    before.union.length === after.union.length && before.union.every((text, at) => text === after.union[at])
  if (isEqual && before.isList === after.isList) return null
  const [was, is] = [new Set(before.union), new Set(after.union)]
  const gone = before.union.filter((text) => !is.has(text))
  const added = after.union.filter((text) => !was.has(text))
  const isOtherKind = (before.isList === true) !== (after.isList === true) || [...gone, ...added].some(isKind)
  if (isOtherKind || gone.length === before.union.length) return `${shown(before)} → ${shown(after)}`
  return gone.length === 0 ? null : `no longer ${named(gone, ', ')}`
}

/** Tells a kind of values, such as `number`, from a single value. */
function isKind(text: string): boolean {
  return !/^['"]/.test(text)
}

const MOST_NAMED = 5

function shown({ union, isList }: UnionType): string {
  const text = named(union, ' | ')
  return isList === true ? `list of ${text}` : text
}

function named(texts: readonly string[], separator: string): string {
  const first = texts.slice(0, MOST_NAMED).map(shortened).join(separator)
  return texts.length > MOST_NAMED ? `${first} and ${formatCount(texts.length - MOST_NAMED)} more` : first
}

const LONGEST = 60

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`
}
