import { isObject, type Json } from '../lib/json.ts'
import { comparableNumber } from './whole-number.ts'
import type { RecordBody } from './record-type.ts'

/** Why values stored under the old definition of a characteristic may not be valid under the new one (semantics, section 6). */
export function invalidatedBy(before: RecordBody, after: RecordBody): string | null {
  if (before['dataType'] !== after['dataType'])
    return `dataType ${String(before['dataType'])} → ${String(after['dataType'])}`
  const removed = removedOptions(before['options'], after['options'])
  if (removed.length > 0) return `option${removed.length === 1 ? '' : 's'} ${removed.join(', ')} removed`
  if (isNarrower(before['boundaryMin'], after['boundaryMin'], 1)) return 'boundaryMin is raised'
  if (isNarrower(before['boundaryMax'], after['boundaryMax'], -1)) return 'boundaryMax is lowered'
  return null
}

function removedOptions(before: Json | undefined, after: Json | undefined): string[] {
  const kept = new Set(optionKeys(after))
  return optionKeys(before).filter((key) => !kept.has(key))
}

function optionKeys(options: Json | undefined): string[] {
  return Array.isArray(options) ? options.map((option) => (isObject(option) ? String(option['key']) : '')) : []
}

/** `direction` 1: a higher bound is narrower; -1: a lower one is. A bound where there was none is narrower. */
function isNarrower(before: Json | undefined, after: Json | undefined, direction: 1 | -1): boolean {
  if (after === undefined) return false
  if (before === undefined) return true
  const [least, most] = [before, after].map(comparableNumber)
  if (least != null && most != null) return direction === 1 ? most > least : most < least
  // Without its Z an instant is a prefix of every later one in the same second, so texts compare as instants do.
  const [old, now] = [before, after].map((bound) => String(bound).replace(/Z$/, '')) as [string, string]
  return direction === 1 ? now > old : now < old
}
