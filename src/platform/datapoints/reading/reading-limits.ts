import { HoldfastError } from '../../../lib/errors.ts'

/** The limits of one query. A query over a limit is refused, with the limit's name. Nothing is truncated. */
interface ReadingLimits {
  /** The points of one page. */
  readonly page: number
  readonly buckets: number
  /** The points of a curve, or the runs of a state. */
  readonly thinned: number
  /** The stored points in memory at once, to draw a curve, or to find the percentiles of one request. */
  readonly curve: number
  /** The series of one query. */
  readonly series: number
  /** The series of one file. Its points stream, but the names of a series take about a kilobyte of memory. */
  readonly seriesOfFile: number
}

export const READING_LIMITS: ReadingLimits = {
  page: 100_000,
  buckets: 10_000,
  thinned: 20_000,
  curve: 5_000_000,
  series: 1_000,
  seriesOfFile: 100_000,
}

/** Checks a whole number from `least` to `most`. */
export function checkCount(value: number, name: string, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  const code = value > most ? 'LIMIT_EXCEEDED' : 'BAD_USER_INPUT'
  const range = `from ${least} to ${most.toLocaleString('en-US')}`
  throw new HoldfastError(code, `${name} must be a whole number ${range}, but is ${value}`)
}

export function notACurve(): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', 'a curve needs numbers: read other values as states')
}

export function tooLong(points: number): HoldfastError {
  const most = points.toLocaleString('en-US')
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `maxPoints takes at most ${most} stored points at once, and this range has more: take a shorter range, or an interval with aggregations`,
  )
}

export function tooManyValues(): HoldfastError {
  const most = READING_LIMITS.curve.toLocaleString('en-US')
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `median and p95 have all values of a bucket in memory, and a request may have at most ${most} at once: take a shorter interval`,
  )
}
