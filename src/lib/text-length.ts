import { isObject } from './json.ts'

/**
 * The number of characters of all texts in a value, or some number above `most` as soon as there are more. To write the value
 * as JSON instead would fail where that is longer than a string can be.
 */
export function textLength(value: unknown, most = Infinity): number {
  if (typeof value === 'string') return value.length
  const parts: readonly unknown[] = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  let length = 0
  for (const part of parts) {
    length += textLength(part, most - length)
    if (length > most) break
  }
  return length
}
