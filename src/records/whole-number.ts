import type { Json } from '../lib/json.ts'

// A whole number of 64 bits may have more digits than a JSON number keeps. Beyond 2^53 it is written as a text of
// decimal digits, as in datapoints.

const DIGITS = /^(?:0|-?[1-9]\d{0,307})$/

/** Tells whether a value is a whole number, as a number or as text. */
export function isWhole(value: Json): value is number | string {
  return typeof value === 'string' ? DIGITS.test(value) : Number.isInteger(value)
}

/** Normalises whole numbers: a number up to 2^53, and a text beyond. Every other value is returned as it is. */
export function canonicalWhole(value: Json): Json {
  if (!isWhole(value) || Number.isSafeInteger(value)) return value
  const whole = BigInt(value)
  return isSafe(whole) ? Number(whole) : String(whole)
}

/** Tells whether a text must be taken for a whole number where one is expected, because no JSON number holds it. */
export function isLongWhole(value: Json): boolean {
  return typeof value === 'string' && DIGITS.test(value) && !isSafe(BigInt(value))
}

/** The number in a form that JavaScript compares exactly; null if the value is no number. */
export function comparableNumber(value: Json | undefined): number | bigint | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && DIGITS.test(value) ? BigInt(value) : null
}

function isSafe(whole: bigint): boolean {
  return whole >= BigInt(Number.MIN_SAFE_INTEGER) && whole <= BigInt(Number.MAX_SAFE_INTEGER)
}
