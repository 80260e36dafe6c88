import { Scalar, stringify } from 'yaml'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { hasUnseen, quoteText } from '../../lib/visible-text.ts'

/** The style in which new values are written. */
export interface Style {
  /** The line break. */
  readonly eol: string
  /** The indentation of a mapping below its key, and the indentation of a list. */
  readonly step: string
  readonly listStep: string
  /** The blanks inside the braces of a mapping, and after its colons and commas. */
  readonly padding: string
  readonly gap: string
  readonly keyType: Scalar.Type
  readonly textType: Scalar.Type
}

export type Scalars = string | number | boolean | null

export function isScalarValue(value: Json): value is Scalars {
  return typeof value !== 'object' || value === null
}

export function isEmpty(value: Json): boolean {
  return isJsonList(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
}

/** A scalar on one line, for a list or mapping in brackets. `type` is the style of quotes of the scalar it replaces. */
export function flowScalar(value: Scalars, style: Style, type?: Scalar.Type): string {
  if (isUnseen(value)) return quoteText(String(value))
  const isOverLines = typeof value === 'string' && /[\n\r]/.test(value)
  return yamlOf([typed(value, isOverLines ? 'QUOTE_DOUBLE' : type)], style, {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
  }).slice(1, -1)
}

/** A scalar below a key with this indentation. It may take several lines. */
export function blockScalar(value: Scalars, style: Style, indent: string, type?: Scalar.Type): string {
  if (isUnseen(value)) return quoteText(String(value))
  const isOverLines = typeof value === 'string' && value.includes('\n') && type?.startsWith('BLOCK') !== true
  const text = yamlOf({ k: typed(value, isOverLines ? 'BLOCK_LITERAL' : type) }, style, {
    indent: style.step.length || 2,
  }).slice('k: '.length)
  // Blank lines at the end would belong to the lines that follow.
  if (text.endsWith('\n')) return flowScalar(value, style, 'QUOTE_DOUBLE')
  return text.replaceAll(/\n(?=.)/g, `\n${indent}`).replaceAll('\n', style.eol)
}

/** Whether a text has characters that a reader of the file could not see, other than line breaks and tabs. */
function isUnseen(value: Scalars): boolean {
  return typeof value === 'string' && hasUnseen(value.replaceAll('\n', '').replaceAll('\t', ''))
}

function typed(value: Scalars, type: Scalar.Type | undefined): Scalars | Scalar {
  if (typeof value !== 'string' || type === undefined || type === 'PLAIN') return value
  return Object.assign(new Scalar(value), { type })
}

function yamlOf(value: unknown, { textType }: Style, options: Parameters<typeof stringify>[2]): string {
  return stringify(value, {
    compat: 'yaml-1.1',
    lineWidth: 0,
    blockQuote: 'literal',
    doubleQuotedAsJSON: true,
    doubleQuotedMinMultiLineLength: Infinity,
    defaultKeyType: 'PLAIN',
    defaultStringType: textType,
    ...(typeof options === 'object' && options),
  }).replace(/\n$/, '')
}

/** A list or mapping in brackets, on one line. If `lines` is given, each member is on its own line below it. */
export function flowValue(value: Json, style: Style, lines: string | null = null): string {
  if (isScalarValue(value)) return flowScalar(value, style)
  const inner = lines === null ? null : lines + style.step
  const members = isJsonList(value)
    ? value.map((item) => flowValue(item, style, inner))
    : Object.entries(value).map(([key, item]) => flowMember(key, item, style, inner))
  const [open, close, padding] = isJsonList(value) ? ['[', ']', ''] : ['{', '}', style.padding]
  if (members.length === 0) return open + close
  if (inner === null) return open + padding + members.join(`,${style.gap}`) + padding + close
  return `${open}${style.eol}${inner}${members.join(`,${style.eol}${inner}`)}${style.eol}${lines}${close}`
}

export function flowMember(key: string, value: Json, style: Style, lines: string | null = null): string {
  return `${flowScalar(key, { ...style, textType: style.keyType })}:${style.gap}${flowValue(value, style, lines)}`
}

/** A member of a mapping in block style whose keys have this indentation, from its key. */
export function blockMember(key: string, value: Json, style: Style, indent: string): string {
  return `${flowScalar(key, { ...style, textType: style.keyType })}:${afterColon(value, style, indent)}`
}

/** The value of a member in block style, from after its colon. */
export function afterColon(value: Json, style: Style, indent: string): string {
  if (isScalarValue(value)) return ` ${blockScalar(value, style, indent)}`
  return isEmpty(value) ? ` ${flowValue(value, style)}` : valueBelow(value, style, indent)
}

/** A list or mapping in block style, which begins on a new line below a key with this indentation. */
function valueBelow(value: readonly Json[] | JsonObject, style: Style, indent: string): string {
  const inner = indent + (isJsonList(value) ? style.listStep : style.step)
  const lines = isJsonList(value)
    ? value.map((item) => `- ${blockItem(item, style, inner)}`)
    : Object.entries(value).map(([key, item]) => blockMember(key, item, style, inner))
  return lines.map((line) => style.eol + inner + line).join('')
}

/** An item of a list in block style, from after its dash, which has this indentation. */
export function blockItem(value: Json, style: Style, indent: string, isBrief = isShort(value)): string {
  if (isScalarValue(value)) return blockScalar(value, style, indent)
  if (isBrief || isEmpty(value) || isJsonList(value)) return flowValue(value, style)
  const inner = `${indent}  `
  return Object.entries(value)
    .map(([key, item]) => blockMember(key, item, style, inner))
    .join(style.eol + inner)
}

const MOST_MEMBERS = 3
const LONGEST = 80

/** Whether people would write a mapping in braces, such as `{ code: temperature }`. */
function isShort(value: Json): boolean {
  if (!isJsonObject(value)) return false
  const members = Object.values(value)
  return members.length <= MOST_MEMBERS && members.every(isScalarValue) && JSON.stringify(value).length <= LONGEST
}
