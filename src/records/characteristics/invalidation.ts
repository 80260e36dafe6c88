import { isObject, type Json } from '../../lib/json.ts'
import { comparableNumber } from '../whole-number.ts'
import type { RecordBody } from '../record-type.ts'
import { enforcedBoundary } from '../data-types/data-type.ts'

// These functions tell how a change of a characteristic may affect its stored values. Whether it does depends on the
// values.

/** The change of the data type in words; null if it did not change. */
export function retypedBy(before: RecordBody, after: RecordBody): string | null {
  if (before['dataType'] === after['dataType']) return null
  return `dataType ${String(before['dataType'])} → ${String(after['dataType'])}`
}

/** The changes that may make stored values invalid, in words; null if all values stay valid. */
export function narrowedBy(before: RecordBody, after: RecordBody): string | null {
  const said = [
    ...optionWords(before['options'], after['options']),
    ...(before['multiple'] === after['multiple'] ? [] : ['multiple is changed']),
    ...(isSame(before['schema'], after['schema']) || after['schema'] === undefined ? [] : ['schema is changed']),
    ...boundaryWords('boundaryMin', before, after),
    ...boundaryWords('boundaryMax', before, after),
    ...stepWords(before, after),
  ]
  return said.length === 0 ? null : said.join(', ')
}

/** The change of the unit in words. Values are stored without their unit, so another symbol changes their meaning. */
export function relabelledBy(before: RecordBody, after: RecordBody): string | null {
  const [old, now] = [before['symbol'], after['symbol']]
  return old === now ? null : `symbol ${symbolText(old)} → ${symbolText(now)}`
}

function symbolText(symbol: Json | undefined): string {
  return symbol === undefined ? '(none)' : JSON.stringify(symbol)
}

function optionWords(before: Json | undefined, after: Json | undefined): string[] {
  const kept = new Set(optionKeys(after))
  const removed = optionKeys(before).filter((key) => !kept.has(key))
  return removed.length === 0 ? [] : [`option${removed.length === 1 ? '' : 's'} ${removed.join(', ')} removed`]
}

function optionKeys(options: Json | undefined): string[] {
  return Array.isArray(options) ? options.map((option) => (isObject(option) ? String(option['key']) : '')) : []
}

const NARROWER = {
  boundaryMin: { words: 'raised', isWider: (before: number | bigint, after: number | bigint) => after < before },
  boundaryMax: { words: 'lowered', isWider: (before: number | bigint, after: number | bigint) => after > before },
} as const

/** The change of a boundary in words. Moving one outwards is harmless for numbers; other values are checked. */
function boundaryWords(field: keyof typeof NARROWER, beforeBody: RecordBody, afterBody: RecordBody): string[] {
  const { words, isWider } = NARROWER[field]
  const [before, after] = [enforcedBoundary(beforeBody, field), enforcedBoundary(afterBody, field)]
  if (after === null || before === after) return []
  if (before === null) return [`${field} is new`]
  const [old, now] = [comparableNumber(before), comparableNumber(after)]
  if (old === null || now === null) return [`${field} is changed`]
  return isWider(old, now) ? [] : [`${field} is ${words}`]
}

/** The change of the steps in words. It includes a changed boundaryMin, because steps are counted from it. */
function stepWords(before: RecordBody, after: RecordBody): string[] {
  const step = after['boundaryStep']
  if (step === undefined) return []
  if (step !== before['boundaryStep'])
    return [before['boundaryStep'] === undefined ? 'boundaryStep is new' : 'boundaryStep is changed']
  const isMoved = enforcedBoundary(before, 'boundaryMin') !== enforcedBoundary(after, 'boundaryMin')
  return isMoved ? ['boundaryStep is counted from another boundaryMin'] : []
}

function isSame(before: Json | undefined, after: Json | undefined): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}
