import { quoted } from '../../lib/quoted.ts'
import { hasOneKey, type JsonSchema } from '../json-schema.ts'

const LONGEST_QUOTE = 60

const FORMATS: { readonly [format: string]: string } = {
  email: 'an e-mail address such as ada@example.org',
  uri: 'an absolute address such as https://example.org/path',
  uuid: 'a UUID such as 6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c',
  'date-time': 'a date-time such as 2024-01-31T12:00:00Z',
}

const TYPES: { readonly [type: string]: string } = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

/** One type of a node in words. */
export function describeType(type: string, node: JsonSchema): string {
  if (type === 'string' && node.format !== undefined)
    return FORMATS[node.format] ?? `a string of the format ${node.format}`
  if (type === 'object' && hasOneKey(node)) {
    return `an object with exactly one of ${listOf(Object.keys(node.properties ?? {}))}`
  }
  if (type === 'object' && node.required !== undefined && node.required.length > 0)
    return `an object with ${listOf(node.required, 'and')}`
  return TYPES[type] ?? type
}

/** A value in words: its type and, if it may be quoted, its content. */
export function describeValue(value: unknown, mayQuote: boolean): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (!mayQuote) return `a ${typeof value}`
  return typeof value === 'string' ? quote(value) : `the ${typeof value} ${String(value)}`
}

/** Quotes a text, shortened if it is long. */
export function quote(text: string): string {
  return quoted(text, LONGEST_QUOTE)
}

/** `"a", "b" or "c"` */
export function listOf(values: readonly unknown[], word: 'and' | 'or' = 'or'): string {
  const texts = values.map((value) => JSON.stringify(value))
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`
}
