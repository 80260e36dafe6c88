import { isObject } from '../../lib/json.ts'
import { isUuidField, UUID_FIELDS, type UuidField } from './element.ts'
import { JsonLiteral } from './json-literal.ts'

/** A variable part between two literals: the UUID with this index in UUID_FIELDS, the value or the timestamp. */
type Variable = 0 | 1 | 2 | 3 | typeof VALUE | typeof TIMESTAMP
export const VALUE = 4
export const TIMESTAMP = 5

/** The way in which a client formats its datapoints. A program always formats them in the same way. */
export interface JsonLayout {
  /** Layouts with the same id are equal. */
  readonly id: string
  /** The fixed texts, one before each variable. */
  readonly literals: readonly JsonLiteral[]
  readonly variables: readonly Variable[]
  /** The text after the last variable: `}`, with a quotation mark before it if that variable is a UUID. */
  readonly end: string
  /** The text between two datapoints. */
  readonly comma: string
  /** The length of the shortest possible datapoint. */
  readonly shortest: number
}

/** Punctuation without spaces, and with spaces as in Python. */
const STYLES = [
  { comma: ',', colon: ':' },
  { comma: ', ', colon: ': ' },
] as const

/** Finds the layout of a body. `first` is its first datapoint, which must be valid. Null if the layout is unusual. */
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

/** The indexes in UUID_FIELDS. */
const UUID_VARIABLES: { readonly [field in UuidField]: Variable } = {
  characteristic_uuid: 0,
  component_uuid: 1,
  service_uuid: 2,
  system_uuid: 3,
}

function variableOf(field: string): Variable {
  if (isUuidField(field)) return UUID_VARIABLES[field]
  return field === 'value' ? VALUE : TIMESTAMP
}
