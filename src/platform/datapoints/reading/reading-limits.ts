import { HoldfastError } from '../../../lib/errors.ts'

/** What one question may ask for. More is refused by the name of the limit, never cut off. */
export interface ReadingLimits {
  /** Points of one page. */
  readonly page: number
  readonly buckets: number
  /** Points of a curve, and runs of a state. */
  readonly thinned: number
  /** Stored points that are thinned at once: they are in memory. */
  readonly curve: number
  /** Series of one question. */
  readonly series: number
}

export const READING_LIMITS: ReadingLimits = {
  page: 100_000,
  buckets: 10_000,
  thinned: 20_000,
  curve: 5_000_000,
  series: 1_000,
}

/** A whole number from `least` to `most`. */
export function checkCount(value: number, name: string, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  const code = value > most ? 'LIMIT_EXCEEDED' : 'BAD_USER_INPUT'
  const range = `from ${least} to ${most.toLocaleString('en-US')}`
  throw new HoldfastError(code, `${name} must be a whole number ${range}, but is ${value}`)
}
