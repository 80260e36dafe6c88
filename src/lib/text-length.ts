import { isObject } from './json.ts'

/**
 * Counts the characters of all texts in a value. If there are more than `most`, it stops early and returns any number
 * above `most`. It does not write the value as JSON, because that fails if the result is longer than a string can be.
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
