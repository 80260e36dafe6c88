import { asNumbers, joinColumns, pickColumns, type Columns } from '../../../datapoints/chunks/columns.ts'
import { envelope } from '../../../datapoints/buckets/envelope.ts'
import { lttb } from '../../../datapoints/buckets/lttb.ts'
import { StateChanges, type Run } from '../../../datapoints/buckets/state-changes.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { PointReader, SeriesReference } from './point-reader.ts'
import { checkCount, READING_LIMITS } from './reading-limits.ts'

/** `shape` keeps the look of the curve, and `extremes` the smallest and largest value of each stretch of time. */
export type Thinning = 'shape' | 'extremes'

export interface ThinnedQuery {
  readonly from: number
  readonly to: number
  readonly maxPoints: number
  readonly thinning: Thinning
}

/** Fewer points cannot hold both ends and both extremes. */
const LEAST = 4

/** A curve with at most the given number of points that looks the same, or all points where there are no more. */
export async function readCurve(
  reader: PointReader,
  series: SeriesReference,
  { from, to, maxPoints, thinning }: ThinnedQuery,
): Promise<Columns | undefined> {
  checkCount(maxPoints, 'maxPoints', LEAST, READING_LIMITS.thinned)
  if (series.kind !== 'float' && series.kind !== 'integer') throw notACurve()
  const all = joinColumns(await collect(reader, series, from, to))
  if (all === undefined) return undefined
  const thin = thinning === 'shape' ? lttb : envelope
  return pickColumns(all, thin(all.at, asNumbers(all.values), maxPoints))
}

async function collect(reader: PointReader, series: SeriesReference, from: number, to: number): Promise<Columns[]> {
  const parts: Columns[] = []
  let count = 0
  for await (const { columns } of reader.read([series], { from, to, order: 'oldest first' })) {
    parts.push(columns)
    count += columns.at.length
    if (count > READING_LIMITS.curve) throw tooLong()
  }
  return parts
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

function tooLong(): HoldfastError {
  const most = READING_LIMITS.curve.toLocaleString('en-US')
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `maxPoints takes at most ${most} stored points at once, and this range has more: take a shorter range, or an interval with aggregations`,
  )
}
