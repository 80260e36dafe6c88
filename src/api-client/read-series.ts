import type { Operations } from '../../generated/client-operations.ts'
import type { Json } from '../lib/json.ts'
import type { Call, Connection } from './connection.ts'
import { DOCUMENTS } from './documents.ts'
import { pathOf, type KnownComponents, type Support } from './known-components.ts'
import { timeText, type Point, type SeriesName, type Time } from './model.ts'

export interface Range extends Call {
  /** Part of the range; left out: from the first point. */
  readonly from?: Time
  /** Not part of the range; left out: up to the last point. */
  readonly to?: Time
}

type PageVariables = Operations['Page']['variables']
type BucketsVariables = Operations['Buckets']['variables']
type BucketData = NonNullable<Operations['Buckets']['data']['datapoints']['buckets']>[number]

export interface PageOptions extends Range, Pick<PageVariables, 'order'> {
  /** The most points of a page, up to 100,000; by default 10,000. */
  readonly first?: number
  /** The `next` of the page before. */
  readonly after?: string | null
}

export interface Page<Value> {
  readonly points: readonly Point<Value>[]
  /** Pass it as `after` to get the next page; null if this is the last one. */
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

const USUAL_PAGE = 10_000
/** The most series of a query. */
const MOST_SERIES = 1_000

/** The arguments of every query for one series. */
export interface OneSeries {
  readonly component: string
  readonly service: string
  readonly characteristic: string
}

function rangeOf({ from, to }: Range) {
  return { from: from === undefined ? null : timeText(from), to: to === undefined ? null : timeText(to) }
}

export async function readPage(connection: Connection, series: OneSeries, options: PageOptions): Promise<Page<Json>> {
  const { first = USUAL_PAGE, after, order } = options
  const variables = { ...series, ...rangeOf(options), first, after, order }
  const { points, pageInfo } = (await connection.query(DOCUMENTS.Page, variables, options)).datapoints
  return { points: points ?? [], next: pageInfo?.hasNextPage === true ? pageInfo.endCursor : null }
}

export async function readBuckets<F extends Figure>(
  connection: Connection,
  series: OneSeries,
  options: BucketOptions<F>,
): Promise<readonly BucketData[]> {
  const { interval, timeZone, fill } = options
  const aggregations = options.aggregations.map((figure) => AGGREGATIONS[figure])
  const variables = { ...series, ...rangeOf(options), interval, timeZone, fill, aggregations }
  return (await connection.query(DOCUMENTS.Buckets, variables, options)).datapoints.buckets ?? []
}

const AGGREGATIONS: { readonly [figure in Figure]: BucketsVariables['aggregations'][number] } = {
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

export async function readCurve(connection: Connection, series: OneSeries, options: CurveOptions) {
  const { maxPoints, thinning } = options
  const variables = { ...series, ...rangeOf(options), maxPoints, thinning }
  const { points, states } = (await connection.query(DOCUMENTS.Curve, variables, options)).datapoints
  return states ?? points ?? []
}

export interface LatestOptions extends Call {
  /** The last values at this time; left out: the latest values. */
  readonly before?: Time
}

type Latest = Operations['Latest']['data']['latestDatapoints'][number]

/** Reads the latest points of series of any components, in their order; null for a series without points. */
export async function readLatest(
  connection: Connection,
  known: KnownComponents,
  series: readonly SeriesName[],
  options: LatestOptions,
  isRenewed = false,
): Promise<readonly (Point | null)[]> {
  const supports = new Map<string, Support>()
  await known.all(
    series.map(({ component }) => component),
    options,
  )
  for (const one of series) supports.set(keyOf(one), (await known.one(one.component, one.path, options))[1])
  const found = new Map<string, Latest[]>()
  for (const group of await groupsOf(known, series, options))
    for (const latest of await readGroup(connection, group, supports, options)) {
      const key = keyOf({ component: latest.componentUuid, path: pathOf(latest) })
      found.set(key, [...(found.get(key) ?? []), latest])
    }
  // After a change of dataType, there is a point of each type.
  const present = series.map((one) => {
    const { dataType } = supports.get(keyOf(one)) ?? {}
    return found.get(keyOf(one))?.find((point) => point.dataType === dataType)
  })
  const changed = series.filter((one, index) => present[index] === undefined && found.has(keyOf(one)))
  if (changed.length === 0 || isRenewed)
    return present.map((point) => (point === undefined ? null : { timestamp: point.timestamp, value: point.value }))
  known.forget(changed.map(({ component }) => component))
  return readLatest(connection, known, series, options, true)
}

const keyOf = ({ component, path }: SeriesName): string => `${component} ${path}`

/** Splits series so that no query selects more than it may. A query selects all combinations that exist. */
async function groupsOf(known: KnownComponents, series: readonly SeriesName[], call: Call): Promise<SeriesName[][]> {
  const groups: SeriesName[][] = []
  let most = 0
  for (const [uuid, own] of Map.groupBy(series, ({ component }) => component)) {
    const [component] = await known.all([uuid], call)
    const size = component?.supports.size ?? 0
    const last = groups.at(-1)
    const isFull = last === undefined || most + size > MOST_SERIES
    most = isFull ? size : most + size
    if (isFull) groups.push([...own])
    else last.push(...own)
  }
  return groups
}

async function readGroup(
  connection: Connection,
  group: readonly SeriesName[],
  supports: ReadonlyMap<string, Support>,
  options: LatestOptions,
): Promise<readonly Latest[]> {
  const wanted = group.flatMap((one) => supports.get(keyOf(one)) ?? [])
  const variables = {
    components: [...new Set(group.map(({ component }) => component))],
    services: [...new Set(wanted.map(({ service }) => service))],
    characteristics: [...new Set(wanted.map(({ characteristic }) => characteristic))],
    before: options.before === undefined ? null : timeText(options.before),
  }
  return (await connection.query(DOCUMENTS.Latest, variables, options)).latestDatapoints
}
