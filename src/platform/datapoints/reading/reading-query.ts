import type { Aggregation } from '../../../datapoints/buckets/aggregate.ts'
import { checkTimeZone, parseInterval } from '../../../datapoints/buckets/calendar.ts'
import type { Fill } from '../../../datapoints/buckets/fill.ts'
import { microsecondsOf, readTimestampText } from '../../../datapoints/wire/timestamp.ts'
import { isViolation } from '../../../records/values/violation.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { PointOrder, PointReader, SeriesReference } from './stored/point-reader.ts'
import type { Thinning } from './forms/read-curve.ts'

/** The arguments of a query on a series, from GraphQL or REST. Null and absent mean the same. */
export interface ReadingArguments {
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  readonly interval?: string | null | undefined
  readonly timeZone?: string | null | undefined
  readonly aggregations?: readonly Aggregation[] | null | undefined
  readonly fill?: Fill | null | undefined
  readonly maxPoints?: number | null | undefined
  readonly thinning?: Thinning | null | undefined
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly order?: PointOrder | null | undefined
}

interface Range {
  readonly from: number
  readonly to: number
}

interface OpenRange extends Range {
  /** Where no end is named: the range ends now, or behind the last point where that is later (docs/decisions/0038). */
  readonly isOpen?: boolean
}

export type ReadingQuery =
  | (Range & {
      readonly form: 'page'
      readonly first: number
      readonly after: string | null
      readonly order: PointOrder
    })
  | (OpenRange & {
      readonly form: 'buckets'
      readonly interval: string
      readonly timeZone: string
      readonly aggregations: readonly Aggregation[]
      readonly fill: Fill
    })
  | (OpenRange & {
      readonly form: 'thinned'
      readonly maxPoints: number
      readonly thinning: Thinning
      readonly name?: string
    })

type ArgumentName = keyof ReadingArguments

/** The name of an argument as the client gave it, for messages. */
type NameOf = (name: ArgumentName) => string
const AS_HERE: NameOf = (name) => name

/** Arguments that only one form of answer uses. With another form they are refused rather than ignored. */
const BUCKETS: readonly ArgumentName[] = ['timeZone', 'aggregations', 'fill']
const THINNED: readonly ArgumentName[] = ['thinning']
const PAGE: readonly ArgumentName[] = ['first', 'after', 'order']

const FIRST = 1_000

/** Chooses the form: `interval` asks for buckets, `maxPoints` for a chart, and neither for a page of points. */
export function readingQuery(args: ReadingArguments, now: Date, nameOf = AS_HERE): ReadingQuery {
  const { interval, timeZone, maxPoints } = args
  // A wrong argument is reported before a missing one.
  if (interval != null) parseInterval(interval)
  if (timeZone != null) checkTimeZone(timeZone)
  const range = readRange(args, now, nameOf)
  if (interval != null) {
    refuse(args, ['maxPoints', ...THINNED, ...PAGE], 'interval', nameOf)
    return bucketQuery(args, interval, range)
  }
  if (maxPoints != null) {
    refuse(args, [...BUCKETS, ...PAGE], 'maxPoints', nameOf)
    return { form: 'thinned', ...range, maxPoints, thinning: args.thinning ?? 'shape', name: nameOf('maxPoints') }
  }
  refuse(args, [...BUCKETS, ...THINNED], undefined, nameOf)
  const { first, after, order } = args
  return { form: 'page', ...range, first: first ?? FIRST, after: after ?? null, order: order ?? 'oldest first' }
}

function bucketQuery(
  { aggregations, timeZone, fill }: ReadingArguments,
  interval: string,
  range: OpenRange,
): ReadingQuery {
  if (aggregations == null || aggregations.length === 0)
    throw new HoldfastError('BAD_USER_INPUT', 'interval needs aggregations: name the figures of each bucket')
  return { form: 'buckets', ...range, interval, timeZone: timeZone ?? 'UTC', aggregations, fill: fill ?? 'none' }
}

function refuse(
  args: ReadingArguments,
  names: readonly ArgumentName[],
  beside: ArgumentName | undefined,
  nameOf: NameOf,
): void {
  const given = names.filter((name) => args[name] != null)
  if (given.length === 0) return
  const listed = given.map(nameOf).join(', ')
  const why =
    beside === undefined
      ? `${listed} can be given with ${nameOf(THINNED.includes(given[0] ?? 'first') ? 'maxPoints' : 'interval')} only`
      : `${listed} cannot be given together with ${nameOf(beside)}`
  throw new HoldfastError('BAD_USER_INPUT', why)
}

/** Up to here microseconds are exact doubles, which is in the year 2255. */
export const END_OF_TIME = Number.MAX_SAFE_INTEGER

/**
 * Reads the range. A page without an end has all that is stored: the clocks of servers differ, so none of them knows which
 * points of another one are of the future. Buckets and charts need a beginning, and an end that can be drawn.
 */
export function readRange({ from, to, interval, maxPoints }: ReadingArguments, now: Date, nameOf = AS_HERE): OpenRange {
  const isDrawn = interval != null || maxPoints != null
  if (from == null && isDrawn) {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `${nameOf(interval == null ? 'maxPoints' : 'interval')} needs from: say where to begin`,
    )
  }
  const begin = from == null ? 0 : readTime(from, 'from')
  if (to == null)
    return isDrawn
      ? { from: begin, to: Math.max(begin + 1, microsecondsOf(now)), isOpen: true }
      : { from: begin, to: END_OF_TIME }
  const range = { from: begin, to: readTime(to, 'to') }
  if (range.from < range.to) return range
  throw new HoldfastError('BAD_USER_INPUT', 'from must be before to')
}

function readTime(text: string, name: string): number {
  const time = readTimestampText(text, { earliest: 0, latest: END_OF_TIME })
  if (!isViolation(time)) return time
  // In a query string a plus stands for a blank.
  const plus = / \d\d:\d\d$/.test(text) ? '; in an address the + of an offset is written %2B' : ''
  throw new HoldfastError('BAD_USER_INPUT', `${name} cannot be read: ${time.detail}${plus}`)
}

// Buckets and curves without an end reach to now. What another server has stored with a clock that is ahead of this one's is
// shown all the same: then they reach to the last point.

/** The time before which a query needs all points. */
export function momentOf(query: ReadingQuery): number {
  return isOpen(query) ? END_OF_TIME : query.to
}

/** The query with its end behind the last point of these series, where it has none and that is later. */
export async function withEnd<Query extends ReadingQuery>(
  reader: PointReader,
  series: readonly SeriesReference[],
  query: Query,
): Promise<Query> {
  if (!isOpen(query)) return query
  // Their times alone matter.
  const latest = await reader.latest(series, END_OF_TIME, 0)
  const to = [...latest.values()].reduce((end, { at }) => Math.max(end, at + 1), query.to)
  return { ...query, to }
}

function isOpen(query: ReadingQuery): boolean {
  return query.form !== 'page' && query.isOpen === true
}
