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
  /** Whether the query names no end. Then it ends now, or after a later last point (docs/decisions/0038). */
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

/** Returns the name that the client used for an argument, for messages. */
type NameOf = (name: ArgumentName) => string
const AS_HERE: NameOf = (name) => name

/** Arguments that only one form of answer uses. A query for another form is refused if it has them. */
const BUCKETS: readonly ArgumentName[] = ['timeZone', 'aggregations', 'fill']
const THINNED: readonly ArgumentName[] = ['thinning']
const PAGE: readonly ArgumentName[] = ['first', 'after', 'order']

const FIRST = 1_000

/** Chooses the form: `interval` requests buckets, `maxPoints` a chart, and neither a page of points. */
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

/** The latest time whose microseconds are exact as a double, in the year 2255. */
export const END_OF_TIME = Number.MAX_SAFE_INTEGER

/**
 * Reads the range. A page without an end includes all stored points: the clocks of servers differ, so no server knows
 * which points of another server lie in the future. Buckets and charts need a beginning, and an end that can be drawn.
 */
export function readRange({ from, to, interval, maxPoints }: ReadingArguments, now: Date, nameOf = AS_HERE): OpenRange {
  const isDrawn = interval != null || maxPoints != null
  if (from == null && isDrawn) {
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `${nameOf(interval == null ? 'maxPoints' : 'interval')} needs from: say where to begin`,
    )
  }
  const begin = from == null ? 0 : readTime(from, nameOf('from'))
  if (to == null)
    return isDrawn
      ? { from: begin, to: Math.max(begin + 1, microsecondsOf(now)), isOpen: true }
      : { from: begin, to: END_OF_TIME }
  const range = { from: begin, to: readTime(to, nameOf('to')) }
  if (range.from < range.to) return range
  throw new HoldfastError('BAD_USER_INPUT', 'from must be before to')
}

function readTime(text: string, name: string): number {
  const time = readTimestampText(text, { earliest: 0, latest: END_OF_TIME })
  if (!isViolation(time)) return time
  // In a query string, a plus sign means a space.
  const plus = / \d\d:\d\d$/.test(text) ? '; in an address the + of an offset is written %2B' : ''
  throw new HoldfastError('BAD_USER_INPUT', `${name} cannot be read: ${time.detail}${plus}`)
}

// Buckets and curves without an end reach until now. Another server's clock may be ahead and have stored later points;
// then they reach to the last point.

/** The time before which a query needs all points. */
export function momentOf(query: ReadingQuery): number {
  return isOpen(query) ? END_OF_TIME : query.to
}

/** The query with its end after the last point of these series, if it has no end and that point is in the future. */
export async function withEnd<Query extends ReadingQuery>(
  reader: PointReader,
  series: readonly SeriesReference[],
  query: Query,
): Promise<Query> {
  if (!isOpen(query)) return query
  // Only the times matter.
  const latest = await reader.latest(series, END_OF_TIME, 0)
  const to = [...latest.values()].reduce((end, { at }) => Math.max(end, at + 1), query.to)
  return { ...query, to }
}

function isOpen(query: ReadingQuery): boolean {
  return query.form !== 'page' && query.isOpen === true
}
