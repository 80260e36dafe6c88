import type { Operations } from '../../generated/client-operations.ts'
import type { Json } from '../lib/json.ts'
import type { Call, Connection } from './connection.ts'
import { DOCUMENTS } from './documents.ts'
import { pathOf, type KnownSupport } from './known-components.ts'
import { timeText, type Point, type SeriesName, type Time } from './model.ts'

interface ReadOptions extends Call {
  /** The `serviceChange` of a `Sent`: the answer then includes the datapoints of that batch. */
  readonly serviceChange?: string | null | undefined
}

export interface Range extends ReadOptions {
  /** Part of the range; left out: from the first point. */
  readonly from?: Time | undefined
  /** Not part of the range; left out: up to the last point. */
  readonly to?: Time | undefined
}

type PageVariables = Operations['Page']['variables']
type BucketsVariables = Operations['Buckets']['variables']
type BucketData = NonNullable<Operations['Buckets']['data']['datapoints']['buckets']>[number]

export interface PageOptions extends Range, Pick<PageVariables, 'order'> {
  /** The maximum number of points of a page, up to 100,000; by default 10,000. */
  readonly first?: number
  /** The `next` of the page before. */
  readonly after?: string | null
}

export interface Page<Value> {
  readonly points: readonly Point<Value>[]
  /** Pass this cursor as `after` to get the next page; null if this is the last page. */
  readonly next: string | null
}

/** A figure of the points of a bucket. */
export type Figure = Exclude<keyof BucketData, 'from' | 'to'>

export interface BucketOptions<F extends Figure> extends Range, Pick<BucketsVariables, 'timeZone' | 'fill'> {
  /** An ISO 8601 duration, for example PT1H or P1D. */
  readonly interval: string
  readonly aggregations: readonly F[]
}

export type Bucket<F extends Figure, Value> = {
  readonly [figure in F]: [Value] extends [number] ? number | null : Json
} & { readonly from: string; readonly to: string }

export interface CurveOptions extends Range, Pick<Operations['Curve']['variables'], 'thinning'> {
  readonly maxPoints: number
}

/** A period in which a value did not change. */
export interface State<Value> {
  readonly from: string
  readonly to: string
  readonly value: Value
  readonly count: number
}

/** Numbers have a curve of points. Other values have the periods in which they held. */
export type Curve<Value> = readonly (Json extends Value
  ? Point<Value> | State<Value>
  : number extends Value
    ? Point<Value>
    : State<Value>)[]

export const USUAL_PAGE = 10_000
/** The maximum number of series of a query. */
const MOST_SERIES = 1_000

/** Returns the range as variables of a query. */
export function rangeOf({ from, to, serviceChange }: Range) {
  return { from: timeText(from), to: timeText(to), serviceChange }
}

/** The names of figures in GraphQL. */
export const AGGREGATIONS: { readonly [figure in Figure]: BucketsVariables['aggregations'][number] } = {
  min: 'MIN',
  max: 'MAX',
  avg: 'AVG',
  timeWeightedAvg: 'TIME_WEIGHTED_AVG',
  sum: 'SUM',
  count: 'COUNT',
  first: 'FIRST',
  last: 'LAST',
  median: 'MEDIAN',
  p95: 'P95',
  delta: 'DELTA',
  changes: 'CHANGES',
}

export interface LatestOptions extends ReadOptions {
  /** The last values at this time; left out: the latest values. */
  readonly before?: Time
}

type Latest = Operations['Latest']['data']['latestDatapoints'][number]

/** Reads the latest points of series of any components, in their order; null for a series without points. */
export async function readLatest(
  connection: Connection,
  series: readonly SeriesName[],
  options: LatestOptions,
): Promise<readonly (Point | null)[]> {
  const { known } = connection
  const supports = await connection.shared(() => known.supports(series), options)
  const latest: Latest[] = []
  for (const group of groupsOf(supports)) {
    const variables = {
      components: unique(group.map(({ component }) => component.uuid)),
      services: unique(group.map(({ service }) => service)),
      characteristics: unique(group.map(({ characteristic }) => characteristic)),
      before: timeText(options.before),
      serviceChange: options.serviceChange,
    }
    latest.push(...(await connection.query(DOCUMENTS.Latest, variables, options)).latestDatapoints)
  }
  // After a change of dataType, there is a point of each type. The newest one counts.
  const newest = new Map(latest.toSorted(byTime).map((one) => [`${one.componentUuid} ${pathOf(one)}`, one]))
  return supports.map(({ component, ...one }) => {
    const point = newest.get(`${component.uuid} ${pathOf(one)}`)
    return point === undefined ? null : { timestamp: point.timestamp, value: point.value }
  })
}

/** Compares texts in UTC, because a Date has no microseconds. Without the Z, a shorter fraction is the smaller text. */
const byTime = (one: Latest, other: Latest): number =>
  one.timestamp.slice(0, -1) < other.timestamp.slice(0, -1) ? -1 : 1

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

/** Splits series so that no query selects more than it may. A query selects all combinations that exist. */
function groupsOf(supports: readonly KnownSupport[]): KnownSupport[][] {
  const groups: KnownSupport[][] = []
  let most = 0
  for (const [{ supports: all }, own] of Map.groupBy(supports, ({ component }) => component)) {
    const last = most + all.size > MOST_SERIES ? undefined : groups.at(-1)
    most = last === undefined ? all.size : most + all.size
    if (last === undefined) groups.push([...own])
    else last.push(...own)
  }
  return groups
}
