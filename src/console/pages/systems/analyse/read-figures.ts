import { storedValue, type Before, type Cell } from '../../../../datapoints/chunks/columns.ts'
import type { Bucket } from '../../../../datapoints/buckets/fill.ts'
import type { Run } from '../../../../datapoints/buckets/state-run.ts'
import type { Json } from '../../../../lib/json.ts'
import { readDatapoints, readLatest } from '../../../../platform/datapoints/reading/read-datapoints.ts'
import { shownCell } from '../../../../platform/datapoints/reading/shown-cell.ts'
import type { DomainContext } from '../../../../platform/domain-context.ts'
import type { SystemSeries } from '../../../../platform/systems/system-series.ts'
import { intervalFor, type Interval } from './interval.ts'
import { isSetting, shapeOf } from './shape.ts'
import type { Window } from './span.ts'

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly value: Json
}

/** The smallest, the mean and the largest value of a stretch of time. */
export interface Figure {
  readonly at: number
  readonly to: number
  readonly count: number
  readonly min: number
  readonly mean: number
  readonly max: number
  readonly last: number
}

export interface State {
  readonly from: number
  readonly to: number
  readonly value: Json
  /** 0 where it was only reported before the window. */
  readonly count: number
}

/** What is seen of a series: all of its points, or what they come to. */
export type Figures =
  | { readonly form: 'raw'; readonly points: readonly Point[]; readonly before: Point | null }
  | { readonly form: 'buckets'; readonly interval: Interval; readonly buckets: readonly Figure[] }
  | { readonly form: 'states'; readonly states: readonly State[] }
  | { readonly form: 'texts'; readonly points: readonly Point[]; readonly hasMore: boolean }

/** Up to so many points are drawn as they are. */
export const MOST_RAW = 2_000
const MOST_STATES = 2_000
const MOST_TEXTS = 100

type Context = Pick<DomainContext, 'database' | 'domain' | 'now'>

/** Reads what is to be seen of a series in a window. */
export async function readFigures(context: Context, series: SystemSeries, window: Window): Promise<Figures> {
  switch (shapeOf(series)) {
    case 'line':
      return readLine(context, series, window)
    case 'state':
      return readStates(context, series, window)
    case 'text':
      return readTexts(context, series, window)
  }
}

async function readLine(context: Context, series: SystemSeries, window: Window): Promise<Figures> {
  const page = { form: 'page', ...microseconds(window), first: MOST_RAW, after: null, order: 'oldest first' } as const
  const all = await readDatapoints(context, series, page, context.now())
  if (all.form !== 'page') throw new Error('a page was asked for')
  if (all.hasNextPage) return readBuckets(context, series, window)
  // What a setting was before the window still holds in it.
  const [latest] = isSetting(series) ? await readLatest(context, [series], page.from) : []
  return { form: 'raw', points: all.points.map(pointOf(series)), before: latest ? pointOf(series)(latest.point) : null }
}

async function readBuckets(context: Context, series: SystemSeries, window: Window): Promise<Figures> {
  const interval = intervalFor(window.to - window.from)
  const query = {
    form: 'buckets',
    ...microseconds(window),
    interval: interval.duration,
    timeZone: 'UTC',
    aggregations: ['min', 'avg', 'max', 'last'],
    fill: 'none',
  } as const
  const found = await readDatapoints(context, series, query, context.now())
  if (found.form !== 'buckets') throw new Error('buckets were asked for')
  return { form: 'buckets', interval, buckets: found.buckets.map(figureOf) }
}

function figureOf({ from, to, count, cells: { min, avg, max, last } }: Bucket): Figure {
  const [at, end] = [from / 1_000, to / 1_000]
  return { at, to: end, count, min: numberOf(min), mean: numberOf(avg), max: numberOf(max), last: numberOf(last) }
}

function numberOf(cell: Cell | undefined): number {
  return cell == null ? Number.NaN : Number(storedValue(cell))
}

async function readStates(context: Context, series: SystemSeries, window: Window): Promise<Figures> {
  const query = { form: 'thinned', ...microseconds(window), maxPoints: MOST_STATES, thinning: 'shape' } as const
  const found = await readDatapoints(context, series, query, context.now())
  if (found.form !== 'states') throw new Error('states were asked for')
  return { form: 'states', states: found.states.map(stateOf(series)) }
}

const stateOf =
  ({ rules }: SystemSeries) =>
  ({ from, to, value, count }: Run): State => ({
    from: from / 1_000,
    to: to / 1_000,
    value: shownCell(value, rules),
    count,
  })

/** The last ones: texts are read, and nobody reads thousands. */
async function readTexts(context: Context, series: SystemSeries, window: Window): Promise<Figures> {
  const page = { form: 'page', ...microseconds(window), first: MOST_TEXTS, after: null, order: 'newest first' } as const
  const found = await readDatapoints(context, series, page, context.now())
  if (found.form !== 'page') throw new Error('a page was asked for')
  return { form: 'texts', points: found.points.map(pointOf(series)), hasMore: found.hasNextPage }
}

const pointOf =
  ({ rules }: SystemSeries) =>
  ({ at, value }: Before): Point => ({ at: at / 1_000, value: shownCell(value, rules) })

function microseconds({ from, to }: Window): { readonly from: number; readonly to: number } {
  return { from: Math.round(from * 1_000), to: Math.round(to * 1_000) }
}
