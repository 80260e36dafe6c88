import { isObject } from '../../lib/json.ts'
import { isUuidField, UUID_FIELDS } from './element.ts'
import { JsonLiteral } from './json-literal.ts'

/** What stands between two literals: the uuid of this index in UUID_FIELDS, or another field. */
export type Variable = 0 | 1 | 2 | 3 | typeof VALUE | typeof TIMESTAMP
export const VALUE = 4
export const TIMESTAMP = 5

/** How a client writes each of its datapoints: a program always does it in one way. */
export interface JsonLayout {
  /** Two layouts of the same id are the same. */
  readonly id: string
  /** One before each variable. */
  readonly literals: readonly JsonLiteral[]
  readonly variables: readonly Variable[]
  /** What follows the last variable: `}`, and a quotation mark before it where that is a uuid. */
  readonly end: string
  /** Between two datapoints. */
  readonly comma: string
  /** No datapoint is shorter. */
  readonly shortest: number
}

/** Without blanks, and as Python does it. */
const STYLES = [
  { comma: ',', colon: ':' },
  { comma: ', ', colon: ': ' },
] as const

/** How a body is written whose first datapoint, which was good, is this; null where it is in none of the usual ways. */
export function layoutOf(body: Uint8Array, first: unknown): JsonLayout | null {
  if (!isObject(first)) return null
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const layouts = STYLES.map((style) => makeLayout(Object.keys(first), style))
  return layouts.find(({ literals }) => literals[0]?.isAt(view, 1) === true) ?? null
}

function makeLayout(fields: readonly string[], { comma, colon }: (typeof STYLES)[number]): JsonLayout {
  const texts = fields.map((field, index) => {
    const before = index === 0 ? '{' : `${quoteOf(fields[index - 1])}${comma}`
    return `${before}"${field}"${colon}${quoteOf(field)}`
  })
  const end = `${quoteOf(fields.at(-1))}}`
  const fixed = texts.reduce((sum, text) => sum + text.length, end.length)
  return {
    id: [...texts, end].join('…'),
    literals: texts.map((text) => new JsonLiteral(text)),
    variables: fields.map(variableOf),
    end,
    comma,
    shortest: fixed + UUID_FIELDS.length * UUID_LENGTH + 1,
  }
}

export const UUID_LENGTH = 36

function quoteOf(field: string | undefined): string {
  return field !== undefined && isUuidField(field) ? '"' : ''
}

function variableOf(field: string): Variable {
  if (isUuidField(field)) return UUID_FIELDS.indexOf(field) as Variable
  return field === 'value' ? VALUE : TIMESTAMP
}
