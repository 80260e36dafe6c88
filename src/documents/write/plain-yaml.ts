import { isJsonList, isObject, type Json } from '../../lib/json.ts'

/** Writes a text as YAML on one line, with quotes if it needs them; null if it takes several lines. */
export type ScalarWriter = (text: string) => string | null

/**
 * Writes a value as an item of a list with this indentation, exactly like js-yaml; null if only js-yaml can write it.
 * Most values of a model are words and numbers. For each, js-yaml needs six regular expressions and ten times as long.
 */
export function plainItem(value: Json, indent: string, textOf: ScalarWriter): string | null {
  if (typeof value !== 'object' || value === null) return onLine(`${indent}- `, scalar(value, textOf))
  const lines = isJsonList(value) ? null : members(value, `${indent}  `, textOf)
  return lines === null ? null : `${indent}- ${lines.slice(indent.length + 2)}`
}

/** Also null for an object without members. */
function members(object: { readonly [key: string]: Json }, indent: string, textOf: ScalarWriter): string | null {
  let lines = ''
  for (const key in object) {
    const value = object[key]
    const line = value === undefined ? null : member(key, value, indent, textOf)
    if (line === null) return null
    lines += line
  }
  return lines === '' ? null : lines
}

function member(key: string, value: Json, indent: string, textOf: ScalarWriter): string | null {
  if (!KEY.test(key)) return null
  const start = `${indent}${key}:`
  if (typeof value !== 'object' || value === null) return onLine(`${start} `, scalar(value, textOf))
  const below = `${indent}  `
  if (isJsonList(value)) return value.length === 0 ? `${start} []\n` : items(`${start}\n`, value, below, textOf)
  if (!isObject(value)) return null
  const lines = members(value, below, textOf)
  return lines === null ? null : `${start}\n${lines}`
}

function items(start: string, list: readonly Json[], indent: string, textOf: ScalarWriter): string | null {
  let lines = start
  for (const value of list) {
    const item = plainItem(value, indent, textOf)
    if (item === null) return null
    lines += item
  }
  return lines
}

function onLine(start: string, text: string | null): string | null {
  return text === null ? null : `${start}${text}\n`
}

function scalar(value: string | number | boolean | null, textOf: ScalarWriter): string | null {
  if (typeof value === 'string') return PLAIN.test(value) ? value : textOf(value)
  if (typeof value !== 'number') return String(value)
  const text = String(value)
  return Object.is(value, -0) || !NUMBER.test(text) ? null : text
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** A name that all versions of YAML read as a text. */
const KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][a-z0-9]*$/i

/**
 * A text that all versions of YAML read as a text. It begins with a letter, and has no special or invisible characters.
 */
const PLAIN =
  /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z](?:[\w !"$%&'()*+,./;<=>?@[\\\]^`{|}~\u{A1}-\u{24F}-]*[\w.)])?$/iu
