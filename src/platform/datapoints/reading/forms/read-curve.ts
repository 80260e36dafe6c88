import { edgesByUnit, envelope, stretchesOf, shape } from '../../../../datapoints/buckets/thinning.ts'
import {
  asNumbers,
  joinColumns,
  pickColumns,
  sliceColumns,
  type Columns,
} from '../../../../datapoints/chunks/point-columns.ts'
import { DAY } from '../../../../datapoints/chunks/pack-series.ts'
import { HOUR } from '../../../../datapoints/chunks/summaries.ts'
import { breather, inTurns } from '../../../../db/breather.ts'
import { CORNERS, endsOf, hiddenPoints, knownPoints, pointsOverEdges } from './curve-stretches.ts'
import type { PointReader, SeriesReference, StretchRange } from '../stored/point-reader.ts'
import { checkCount, notACurve, READING_LIMITS, tooLong } from '../reading-limits.ts'
import { isSummary, type Stretch } from '../stored/divide-by-summaries.ts'
import { POINTS_OF_SLICE } from '../stored/read-slices.ts'

/** `shape` keeps the shape of the curve, and `extremes` the smallest and largest value of each stretch of time. */
export type Thinning = 'shape' | 'extremes'

export interface CurveQuery {
  readonly from: number
  readonly to: number
  readonly maxPoints: number
  readonly thinning: Thinning
  /** The client's name for `maxPoints`. */
  readonly name?: string
}

interface DrawingLimits {
  /** If there are at most this many points, all are read. */
  readonly few: number
  /** The maximum number of points in memory. */
  readonly most: number
}

const DRAWING_LIMITS: DrawingLimits = { few: 250_000, most: READING_LIMITS.curve }

/** Fewer points cannot hold both ends and both extremes. */
const LEAST = 4

/**
 * A curve with at most the given number of points, or all points if they are no more. A curve of very many points is
 * drawn from the first, the last, the smallest and the largest point of each chunk or hour (docs/decisions/0038).
 */
export async function readCurve(
  reader: PointReader,
  series: SeriesReference,
  query: CurveQuery,
  limits: DrawingLimits = DRAWING_LIMITS,
): Promise<Columns | undefined> {
  checkCount(query.maxPoints, query.name ?? 'maxPoints', LEAST, READING_LIMITS.thinned)
  if (series.kind !== 'float' && series.kind !== 'integer') throw notACurve()
  const curve = { reader, series, query, limits }
  const stretches = await readStretchesOf(curve, Float64Array.of(query.from, query.to))
  if (areAllRead(stretches, curve)) return thinned(await readAll(curve), query)
  return query.thinning === 'shape' ? thinned(knownPoints(stretches), query) : drawExtremes(stretches, curve)
}

interface Curve {
  readonly reader: PointReader
  readonly series: SeriesReference
  readonly query: CurveQuery
  readonly limits: DrawingLimits
}

async function thinned(all: Columns | undefined, { maxPoints, thinning }: CurveQuery, edges?: Float64Array) {
  if (all === undefined) return undefined
  const { at, values } = all
  const numbers = await numbersOf(all)
  const exact = values instanceof BigInt64Array ? values : undefined
  if (thinning === 'extremes') return pickColumns(all, envelope(at, numbers, maxPoints, edges, exact))
  return pickColumns(all, await inTurns(shape(at, numbers, maxPoints, exact)))
}

/** The values as doubles. For millions of points it pauses to let other work run. */
async function numbersOf(all: Columns): Promise<Float64Array> {
  if (all.values instanceof Float64Array) return all.values
  const breathe = breather()
  const numbers = new Float64Array(all.at.length)
  for (let start = 0; start < numbers.length; start += POINTS_OF_SLICE) {
    numbers.set(asNumbers(sliceColumns(all, start, start + POINTS_OF_SLICE).values), start)
    await breathe()
  }
  return numbers
}

/** Reads stretches as summaries. A stretch that crosses an edge is read as points. */
async function readStretchesOf(
  { reader, series, query: { from, to }, limits: { most } }: Curve,
  edges: StretchRange['edges'],
): Promise<Stretch[]> {
  const all: Stretch[] = []
  let count = 0
  for await (const stretches of reader.stretches(series, { from, to, edges, grain: 'hour' })) {
    for (const stretch of stretches) {
      all.push(stretch)
      count += isSummary(stretch) ? CORNERS : stretch.at.length
    }
    if (count > most) throw tooLong(most)
  }
  return all
}

/** Stretches by the hour replace shorter ones if they are at least this share of their number. */
const ENOUGH = 1 / 4

/** Tells whether all points are read. So it is if all may be drawn, or they are few, or the summaries too coarse. */
function areAllRead(stretches: readonly Stretch[], { query: { maxPoints, thinning }, limits }: Curve): boolean {
  const hidden = hiddenPoints(stretches)
  if (hidden <= Math.max(limits.few, maxPoints)) return true
  if (hidden > limits.most) return false
  if (thinning === 'shape') return stretches.filter(isSummary).length * CORNERS < maxPoints
  const [first, last] = endsOf(stretches) ?? [0, 0]
  return (last - first) / HOUR < stretchesOf(maxPoints) * ENOUGH
}

async function readAll({ reader, series, query: { from, to } }: Curve): Promise<Columns | undefined> {
  const parts: Columns[] = []
  for await (const { columns } of reader.read([series], { from, to, order: 'oldest first' })) parts.push(columns)
  return joinColumns(parts)
}

/**
 * Draws the extremes of stretches of whole hours or days. Summaries have the same length, so few of them cross an edge,
 * and those are read as points. So the smallest and largest value of each stretch are exact.
 */
async function drawExtremes(stretches: readonly Stretch[], curve: Curve): Promise<Columns | undefined> {
  const { query, limits } = curve
  const ends = endsOf(stretches)
  if (ends === undefined) return undefined
  const byUnit = (unit: number): Float64Array => edgesByUnit(...ends, stretchesOf(query.maxPoints), unit)
  const byHour = byUnit(HOUR)
  const isLong = (byHour[1] ?? 0) - (byHour[0] ?? 0) > DAY || pointsOverEdges(stretches, byHour) > limits.most
  const edges = isLong ? byUnit(DAY) : byHour
  if (pointsOverEdges(stretches, edges) === 0) return thinned(knownPoints(stretches), query, edges)
  const within = Float64Array.of(query.from, ...edges.filter((at) => at > query.from && at < query.to), query.to)
  return thinned(knownPoints(await readStretchesOf(curve, within)), query, edges)
}
