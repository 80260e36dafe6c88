import { formatCount } from '../../lib/counted.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { plainText, quoteText } from '../../lib/visible-text.ts'

/** The width of `… (10,000 characters)`. */
const REMARK = 21
/** The number of equal characters that are shown before the first difference of two long values. */
const LEAD = 16

/** A value as text of about `limit` characters at most. A shortened value tells its length. */
export function valueText(value: Json, limit: number): string {
  return cut(value, 0, limit)
}

/** Two different values, shortened so that their first difference is visible. */
export function pairTexts(before: Json, after: Json, limit: number): readonly [string, string] {
  const [was, is] = [charactersOf(before), charactersOf(after)]
  let common = 0
  while (common < was.length && was[common] === is[common]) common += 1
  const start = common > Math.max(LEAD, limit - REMARK - LEAD) ? leadStart(was, common) : 0
  return [cut(before, start, limit), cut(after, start, limit)]
}

/** Starts shortly before the difference, at the beginning of a word if there is one. */
function leadStart(characters: readonly string[], common: number): number {
  const space = characters.indexOf(' ', common - LEAD)
  return space !== -1 && space < common - 1 ? space + 1 : common - LEAD
}

export function keyText(key: string): string {
  return valueText(key, 200)
}

function cut(value: Json, start: number, limit: number): string {
  const characters = charactersOf(value)
  const show = typeof value === 'string' ? plainText : (text: string) => text
  if (start === 0 && characters.length <= limit) return show(characters.join(''))
  const end = start + Math.max(LEAD, limit - REMARK)
  const piece = show(characters.slice(start, end).join('').trimEnd())
  return `${start > 0 ? '…' : ''}${piece}${end < characters.length ? '…' : ''} (${formatCount(characters.length)} characters)`
}

/** Splits into code points, so that no character is cut in two. */
function charactersOf(value: Json): string[] {
  return [...(typeof value === 'string' ? value : flowText(value))]
}

/** Writes a value as in YAML's flow style: `{label: Automatic, meta: []}`. */
export function flowText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`
  if (isObject(value)) return flowObject(value)
  return typeof value === 'string' ? flowString(value) : JSON.stringify(value)
}

function flowObject(value: JsonObject): string {
  const members = Object.keys(value).sort()
  return `{${members.map((name) => `${flowString(name)}: ${flowText(value[name] ?? null)}`).join(', ')}}`
}

function flowString(text: string): string {
  return /[,:[\]{}]/.test(text) ? quoteText(text) : plainText(text)
}
