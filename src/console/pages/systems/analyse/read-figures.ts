import { storedValue, type Before, type Cell } from '../../../../datapoints/chunks/point-columns.ts'
import type { Bucket } from '../../../../datapoints/buckets/fill.ts'
import type { Run } from '../../../../datapoints/buckets/state-changes.ts'
import type { Json } from '../../../../lib/json.ts'
import { readDatapoints, readLatest, type Reading } from '../../../../platform/datapoints/reading/read-datapoints.ts'
import type { ReadingQuery } from '../../../../platform/datapoints/reading/reading-query.ts'
import type { SeriesName } from '../../../../platform/datapoints/reading/series/find-series.ts'
import { shownCell } from '../../../../platform/datapoints/reading/shown-cell.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import type { Visit } from '../../../page.ts'
import { MOST_RAW } from '../../../assets/analyse/computed.js'
import { intervalFor, type Interval } from './interval.ts'
import { isSetting, shapeOf } from './shape.ts'
import type { Window } from './span.ts'

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: Json
}

/** Minimum, mean and maximum of a stretch of time. An integer beyond the precision of a double is a text. */
export interface Figure {
  readonly at: number
  readonly to: number
  readonly count: number
  readonly min: number | string
  readonly mean: number
  readonly max: number | string
  readonly last: number | string
}

export interface State {
  readonly from: number
  readonly to: number
  readonly value: Json
  /** 0 if the value was reported before the window. */
  readonly count: number
}

/** The visible data of a series: all of its points, or figures of them. */
export type Figures =
  | { readonly form: 'raw'; readonly points: readonly Point[]; readonly before: Point | null }
  | {
      readonly form: 'buckets'
      readonly interval: Interval
      readonly buckets: readonly Figure[]
      /** The time of the last point of the buckets. */
      readonly lastAt: number | null
    }
  /** `isMerged`: of each stretch of time only the state that held longest, because there are too many changes. */
  | { readonly form: 'states'; readonly states: readonly State[]; readonly isMerged: boolean }
  | { readonly form: 'texts'; readonly points: readonly Point[]; readonly hasMore: boolean }

const MOST_STATES = 2_000
/** The maximum number of texts of a page, because people do not read thousands. */
const MOST_TEXTS = 100

/** The rights and the account of the person who reads the figures. */
export type Looking = Pick<Visit, 'context' | 'actor'>

/** The names of a series in readings. */
export function seriesName({ componentUuid, serviceUuid, characteristicUuid }: SystemSeries): SeriesName {
  return { component: componentUuid, service: serviceUuid, characteristic: characteristicUuid }
}

async function read({ context, actor }: Looking, series: SystemSeries, query: ReadingQuery): Promise<Reading> {
  const { reading } = await readDatapoints(context, actor, seriesName(series), query, context.now())
  return reading
}

/** Reads the visible data of a series in a window. */
export async function readFigures(
  looking: Looking,
  series: SystemSeries,
  window: Window,
  mostTexts = MOST_TEXTS,
): Promise<Figures> {
  switch (shapeOf(series)) {
    case 'line':
      return readLine(looking, series, window)
    case 'state':
      return readStates(looking, series, window)
    case 'text':
      return readTexts(looking, series, window, mostTexts)
  }
}

async function readLine(looking: Looking, series: SystemSeries, window: Window): Promise<Figures> {
  const page = { form: 'page', ...microseconds(window), first: MOST_RAW, after: null, order: 'oldest first' } as const
  const all = await read(looking, series, page)
  if (all.form !== 'page') throw new Error('a page was asked for')
  if (all.hasNextPage) return readBuckets(looking, series, window)
  // A setting keeps its last value from before the window.
  const [latest] = isSetting(series) ? await latestBefore(looking, series, page.from) : []
  return { form: 'raw', points: all.points.map(pointOf(series)), before: latest ? pointOf(series)(latest.point) : null }
}

function latestBefore({ context, actor }: Looking, series: SystemSeries, before: number) {
  const { component, service, characteristic } = seriesName(series)
  const filter = { components: [component], services: [service], characteristics: [characteristic] }
  const { dataType } = series.characteristic
  return readLatest(context, actor, filter, { before, dataType: String(dataType) })
}

async function readBuckets(looking: Looking, series: SystemSeries, window: Window): Promise<Figures> {
  const interval = intervalFor(window.to - window.from)
  // In a moving window, the whole first bucket is read. The page then computes it while points leave the window.
  const from = window.isNow ? Math.floor(window.from / interval.ms) * interval.ms : window.from
  const query = {
    form: 'buckets',
    ...microseconds({ ...window, from }),
    interval: interval.duration,
    timeZone: 'UTC',
    aggregations: ['min', 'avg', 'max', 'last'],
    fill: 'none',
  } as const
  const found = await read(looking, series, query)
  if (found.form !== 'buckets') throw new Error('buckets were asked for')
  const { buckets, lastAt } = found
  return {
    form: 'buckets',
    interval,
    buckets: buckets.map(figureOf(series)),
    lastAt: lastAt === null ? null : lastAt / 1_000,
  }
}

const figureOf =
  ({ rules }: SystemSeries) =>
  ({ from, to, count, cells: { min = null, avg, max = null, last = null } }: Bucket): Figure => {
    const [least, most, latest] = [shownCell(min, rules), shownCell(max, rules), shownCell(last, rules)]
    const exact = { min: exactOf(least), mean: meanOf(avg), max: exactOf(most), last: exactOf(latest) }
    return { at: from / 1_000, to: to / 1_000, count, ...exact }
  }

const WHOLE = /^-?\d+$/

/** A value as a number, or as text if it is an integer beyond the precision of a double. */
export function exactOf(value: Json): number | string {
  return typeof value === 'string' && WHOLE.test(value) ? value : Number(value ?? Number.NaN)
}

function meanOf(cell: Cell | undefined): number {
  return cell == null ? Number.NaN : Number(storedValue(cell))
}

async function readStates(looking: Looking, series: SystemSeries, window: Window): Promise<Figures> {
  const query = { form: 'thinned', ...microseconds(window), maxPoints: MOST_STATES, thinning: 'shape' } as const
  const found = await read(looking, series, query)
  if (found.form !== 'states') throw new Error('states were asked for')
  return { form: 'states', states: found.states.map(stateOf(series)), isMerged: found.isMerged }
}

const stateOf =
  ({ rules }: SystemSeries) =>
  ({ from, to, value, count }: Run): State => ({
    from: from / 1_000,
    to: to / 1_000,
    value: shownCell(value, rules),
    count,
  })

/** Reads the last texts. */
async function readTexts(looking: Looking, series: SystemSeries, window: Window, first: number): Promise<Figures> {
  const page = { form: 'page', ...microseconds(window), first, after: null, order: 'newest first' } as const
  const found = await read(looking, series, page)
  if (found.form !== 'page') throw new Error('a page was asked for')
  return { form: 'texts', points: found.points.map(pointOf(series)), hasMore: found.hasNextPage }
}

const pointOf =
  ({ rules }: SystemSeries) =>
  ({ at, value }: Before): Point => ({ at: at / 1_000, value: shownCell(value, rules) })

function microseconds({ from, to }: Window): { readonly from: number; readonly to: number } {
  return { from: Math.round(from * 1_000), to: Math.round(to * 1_000) }
}
