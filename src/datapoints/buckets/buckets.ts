import { HoldfastError } from '../../lib/errors.ts'
import { calendarStarts, checkTimeZone, type Interval } from './calendar.ts'

interface BucketRange {
  readonly interval: Interval
  /** The time zone in which days begin. Exact intervals ignore it, because they are counted in UTC from 1970. */
  readonly timeZone: string
  /** Microseconds since 1970. The range ends before `to`. */
  readonly from: number
  readonly to: number
  readonly limit: number
}

/**
 * Computes the edges of buckets. Bucket i lasts from edge i until edge i + 1. The first bucket begins at `from` and the
 * last one ends at `to`, even if their intervals begin earlier or end later, so that a bucket shows exactly the time of
 * its figures. It yields in between, because the calendar takes a tenth of a millisecond for each bucket.
 */
export function* bucketEdges(range: BucketRange): Generator<void, Float64Array> {
  const { interval, timeZone, from, to } = range
  checkTimeZone(timeZone)
  if (!(from < to)) throw new HoldfastError('BAD_USER_INPUT', '`from` must be before `to`')
  if (interval.unit === 'microseconds') return exactEdges(range, interval.count)
  return new Float64Array(yield* collectEdges(range, calendarStarts(interval, timeZone, from)))
}

function exactEdges(range: BucketRange, step: number): Float64Array {
  const { from, to, limit } = range
  const next = (Math.floor(from / step) + 1) * step
  const inside = Math.max(0, Math.ceil((to - next) / step))
  if (inside + 1 > limit) throw tooMany(range, `${(inside + 1).toLocaleString('en-US')} buckets`)
  const edges = new Float64Array(inside + 2)
  edges[0] = from
  for (let index = 0; index < inside; index++) edges[index + 1] = next + index * step
  edges[inside + 1] = to
  return edges
}

function* collectEdges(range: BucketRange, starts: Iterable<number>): Generator<void, number[]> {
  const { from, to, limit } = range
  const edges = [from]
  for (const start of starts) {
    if (start >= to) break
    yield
    if (start <= (edges.at(-1) ?? from)) continue
    edges.push(start)
    if (edges.length > limit) throw tooMany(range, 'more buckets than that')
  }
  return [...edges, to]
}

function tooMany({ interval, limit }: BucketRange, made: string): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `at most ${limit.toLocaleString('en-US')} buckets can be asked for at once; ${interval.text} makes ${made} of this range: take a longer interval or a shorter range`,
  )
}
