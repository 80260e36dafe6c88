import type { Json } from '../lib/json.ts'

// A 64-bit integer may have more digits than a JSON number keeps. Beyond 2^53 it is written as a text of decimal
// digits, as in datapoints.

const DIGITS = /^(?:0|-?[1-9]\d{0,307})$/

/** Tells whether a value is an integer, as a number or as text. */
export function isWhole(value: Json): value is number | string {
  return typeof value === 'string' ? DIGITS.test(value) : Number.isInteger(value)
}

/** Normalises integers: a number up to 2^53, and a text beyond. Other values are returned unchanged. */
export function canonicalWhole(value: Json): Json {
  if (!isWhole(value) || Number.isSafeInteger(value)) return value
  const whole = BigInt(value)
  return isSafe(whole) ? Number(whole) : String(whole)
}

/** Tells whether a text is an integer beyond the range of exact JSON numbers. */
export function isLongWhole(value: Json): boolean {
  return typeof value === 'string' && DIGITS.test(value) && !isSafe(BigInt(value))
}

/** The number in a form that JavaScript compares exactly; null if the value is not a number. */
export function comparableNumber(value: Json | undefined): number | bigint | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && DIGITS.test(value) ? BigInt(value) : null
}

function isSafe(whole: bigint): boolean {
  return whole >= BigInt(Number.MIN_SAFE_INTEGER) && whole <= BigInt(Number.MAX_SAFE_INTEGER)
}
