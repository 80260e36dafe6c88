import { asNumbers, joinColumns, pickColumns, type Columns } from '../../../datapoints/chunks/columns.ts'
import { envelope } from '../../../datapoints/buckets/envelope.ts'
import { lttb } from '../../../datapoints/buckets/lttb.ts'
import { StateChanges, type Run } from '../../../datapoints/buckets/state-changes.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { Summary, SummaryPoint } from '../../../datapoints/chunks/summary.ts'
import type { PointReader, SeriesReference } from './point-reader.ts'
import { checkCount, READING_LIMITS } from './reading-limits.ts'
import type { Slice } from './range-slices.ts'
import { isSummary, type Stretch } from './stretches.ts'

/** `shape` keeps the look of the curve, and `extremes` the smallest and largest value of each stretch of time. */
export type Thinning = 'shape' | 'extremes'

export interface ThinnedQuery {
  readonly from: number
  readonly to: number
  readonly maxPoints: number
  readonly thinning: Thinning
}

export interface DrawingLimits {
  /** Of no more points than these, all are read. */
  readonly few: number
  /** The most points in memory. */
  readonly most: number
}

const DRAWING_LIMITS: DrawingLimits = { few: 250_000, most: READING_LIMITS.curve }

/** Fewer points cannot hold both ends and both extremes. */
const LEAST = 4

/**
 * A curve with at most the given number of points that looks the same, or all points where there are no more. Of very many
 * points, it is drawn from the first, the last, the smallest and the largest one of each chunk.
 */
export async function readCurve(
  reader: PointReader,
  series: SeriesReference,
  { from, to, maxPoints, thinning }: ThinnedQuery,
  limits: DrawingLimits = DRAWING_LIMITS,
): Promise<Columns | undefined> {
  checkCount(maxPoints, 'maxPoints', LEAST, READING_LIMITS.thinned)
  if (series.kind !== 'float' && series.kind !== 'integer') throw notACurve()
  const stretches = await collectStretches(reader, series, { from, to }, limits)
  const all = joinColumns(
    isDrawnExactly(stretches, maxPoints, limits) ? await collect(reader, series, from, to) : corners(stretches),
  )
  if (all === undefined) return undefined
  const thin = thinning === 'shape' ? lttb : envelope
  return pickColumns(all, thin(all.at, asNumbers(all.values), maxPoints))
}

async function collectStretches(
  reader: PointReader,
  series: SeriesReference,
  { from, to }: Slice,
  { most }: DrawingLimits,
): Promise<Stretch[]> {
  const all: Stretch[] = []
  let count = 0
  for await (const stretches of reader.stretches(series, { from, to, edges: Float64Array.of(from, to) })) {
    for (const stretch of stretches) {
      all.push(stretch)
      count += isSummary(stretch) ? CORNERS : stretch.at.length
    }
    if (count > most) throw tooLong(most)
  }
  return all
}

const CORNERS = 4

/** Tells whether the points behind the summaries are read: where they are few, or where the summaries draw too little. */
function isDrawnExactly(stretches: readonly Stretch[], maxPoints: number, { few, most }: DrawingLimits): boolean {
  const summaries = stretches.filter(isSummary)
  if (summaries.length === 0) return false
  const hidden = summaries.reduce((sum, { count }) => sum + count, 0)
  return hidden <= few || (summaries.length * 2 < maxPoints && hidden <= most)
}

async function collect(reader: PointReader, series: SeriesReference, from: number, to: number): Promise<Columns[]> {
  const parts: Columns[] = []
  for await (const { columns } of reader.read([series], { from, to, order: 'oldest first' })) parts.push(columns)
  return parts
}

/** The points that are known of each stretch. */
function corners(stretches: readonly Stretch[]): Columns[] {
  const parts: Columns[] = []
  let run: Summary[] = []
  const endRun = (): void => {
    if (run.length > 0) parts.push(cornersOf(run))
    run = []
  }
  for (const stretch of stretches) {
    if (isSummary(stretch)) run.push(stretch)
    else {
      endRun()
      if (stretch.at.length > 0) parts.push(stretch)
    }
  }
  endRun()
  return parts
}

function cornersOf(summaries: readonly Summary[]): Columns {
  const points: SummaryPoint<number | bigint>[] = []
  for (const summary of summaries) {
    if (!('least' in summary)) throw notACurve()
    const { first, last, least, most } = summary
    const inOrder = least.at < most.at ? [first, least, most, last] : [first, most, least, last]
    for (const point of inOrder) if (point.at > (points.at(-1)?.at ?? -Infinity)) points.push(point)
  }
  const isFloat = summaries[0]?.kind === 'float'
  return {
    at: Float64Array.from(points, ({ at }) => at),
    values: isFloat
      ? Float64Array.from(points, ({ value }) => Number(value))
      : BigInt64Array.from(points, ({ value }) => BigInt(value)),
  }
}

/** The states of a series and their times. A state from before the range holds from the beginning of the range. */
export async function readStates(
  reader: PointReader,
  series: SeriesReference,
  { from, to, maxPoints }: Omit<ThinnedQuery, 'thinning'>,
): Promise<Run[]> {
  const limit = checkCount(maxPoints, 'maxPoints', 1, READING_LIMITS.thinned)
  const before = (await reader.latest([series], from)).get(series.seriesId)
  const changes = new StateChanges({ from, to, before, limit })
  for await (const { columns } of reader.read([series], { from, to, order: 'oldest first' })) changes.add(columns)
  return changes.finish()
}

function notACurve(): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', 'only numbers make a curve: other values are read as states')
}

function tooLong(points: number): HoldfastError {
  const most = points.toLocaleString('en-US')
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `maxPoints takes at most ${most} stored points at once, and this range has more: take a shorter range, or an interval with aggregations`,
  )
}
