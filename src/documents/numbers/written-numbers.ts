import importSchema from '../../../schemas/import-document.schema.json' with { type: 'json' }
import { isObject } from '../../lib/json.ts'
import { nodeAt, valueAt } from '../../records/json-schema.ts'
import { isDocumentTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { isExact } from '../../lib/exact-number.ts'
import type { Finding, ValuePath } from '../checks/finding.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'

/** A number that a double may not represent exactly, with its path in a file. */
export interface WrittenNumber {
  readonly value: ValuePath
  readonly literal: string
  readonly offset: number
}

const WHOLE = /^([-+]?)(\d+|0[xob][\da-fA-F]+)$/

/** Tells whether a literal needs a closer look: an integer beyond 2^53, or a number whose spelling would change. */
export function isLong(literal: string): boolean {
  const [, , digits] = WHOLE.exec(literal) ?? []
  return digits === undefined ? !isExact(literal) : !Number.isSafeInteger(Number(digits))
}

/** Replaces integers beyond 2^53 by texts if their field allows it, in place. Returns findings about others. */
export function settleLongNumbers(documents: readonly unknown[], numbers: readonly WrittenNumber[]): Finding[] {
  return numbers.flatMap(({ value, literal, offset }) => {
    const root = documents[value.document]
    const digits = digitsOf(literal)
    if (digits !== null && keepDigits(root, value.path, digits)) return []
    if (digits === null ? isExact(literal) : isExact(digits)) return []
    return [{ code: 'number-not-exact', message: inexactMessage(literal, value.path), offset, value }]
  })
}

/** The longest literal that is kept as a text of digits. Records allow at most 308 digits. */
const MOST_CHARACTERS = 310

/** The decimal digits of a number; null if it is not an integer, or is longer than any field allows. */
function digitsOf(literal: string): string | null {
  // Converting millions of digits would take seconds.
  if (literal.length > MOST_CHARACTERS) return null
  const [, sign = '', digits] = WHOLE.exec(literal) ?? []
  return digits === undefined ? null : `${sign === '-' ? '-' : ''}${BigInt(digits)}`
}

function keepDigits(root: unknown, path: readonly string[], digits: string): boolean {
  const [type = '', index = '', ...inside] = path
  const holder = valueAt(root, path.slice(0, -1))
  const last = path.at(-1) ?? ''
  if (!isObject(holder) || !isDocumentTypeName(type)) return false
  if (isMetadataValue(path)) holder[last] = { integer: digits }
  else if (isMetadataValue(path.slice(0, -1)) && last === 'integer') holder[last] = digits
  else if (inside.length === 1 && wholeFields(recordType(type).name, valueAt(root, [type, index])).includes(last))
    holder[last] = digits
  else return false
  return true
}

function wholeFields(type: Parameters<typeof recordType>[0], record: unknown): readonly string[] {
  return isObject(record) ? (recordType(type).wholeNumbers?.(record) ?? []) : []
}

function isMetadataValue(path: readonly string[]): boolean {
  return path.at(-1) === 'value' && path.at(-3) === METADATA_FIELD
}

function inexactMessage(literal: string, path: readonly string[]): string {
  const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
  return `the number ${shown} cannot be stored exactly; ${adviceAt(path)}`
}

const FEWER_DIGITS = 'write at most 15 significant digits'
const QUOTES = 'put it in quotes'

/** Suggests quotes only if the field accepts a text. Elsewhere they would cause another error. */
function adviceAt(path: readonly string[]): string {
  const types = typesAt(path)
  const isNumber = types.includes('number') || types.includes('integer')
  if (types.includes('string') && !isNumber) return `${QUOTES}, for it is a text.`
  if (isNumber && !isMetadataValue(path)) return `${FEWER_DIGITS}.`
  return `${FEWER_DIGITS}, or ${QUOTES} if it is an identifier rather than a quantity.`
}

function typesAt(path: readonly string[]): readonly string[] {
  return [nodeAt(importSchema, path)?.type ?? []].flat()
}
