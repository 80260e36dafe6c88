import { isObject, type Json } from '../lib/json.ts'
import { comparableNumber } from './whole-number.ts'
import type { RecordBody } from './record-type.ts'

// What a change of a characteristic may mean for the values stored under it (semantics, section 6). Whether it does is
// for the values to say.

/** The change in words; null where the values are read as what they were stored as. */
export function retypedBy(before: RecordBody, after: RecordBody): string | null {
  if (before['dataType'] === after['dataType']) return null
  return `dataType ${String(before['dataType'])} → ${String(after['dataType'])}`
}

/** What of it may refuse values that were taken before; null where every one of them fits as it did. */
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

/** Values say nothing of their unit: under another symbol they mean something else. */
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

/** Numbers tell by themselves which way a boundary moves; of times and dates the values do. */
function boundaryWords(field: keyof typeof NARROWER, beforeBody: RecordBody, afterBody: RecordBody): string[] {
  const { words, isWider } = NARROWER[field]
  const [before, after] = [beforeBody[field], afterBody[field]]
  if (after === undefined || isSame(before, after)) return []
  if (before === undefined) return [`${field} is new`]
  const [old, now] = [comparableNumber(before), comparableNumber(after)]
  if (old === null || now === null) return [`${field} is changed`]
  return isWider(old, now) ? [] : [`${field} is ${words}`]
}

/** Steps are counted from boundaryMin. */
function stepWords(before: RecordBody, after: RecordBody): string[] {
  const step = after['boundaryStep']
  if (step === undefined) return []
  if (step !== before['boundaryStep'])
    return [before['boundaryStep'] === undefined ? 'boundaryStep is new' : 'boundaryStep is changed']
  return isSame(before['boundaryMin'], after['boundaryMin']) ? [] : ['boundaryStep is counted from another boundaryMin']
}

function isSame(before: Json | undefined, after: Json | undefined): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after)
}
