import type { ChunkValues } from './chunk-values.ts'
import type { GeneratedColumns } from './chunk.ts'
import { joinPoints, KINDS, type Flush, type PointColumns } from './flush.ts'
import { packSeries, SMALL, type ChunkRow, type SeriesOf } from './pack-series.ts'

/**
 * Packs the points of several flushes, given in their order, into chunks. The chunks are small, and their texts
 * are not compressed, so that this is fast.
 */
export function buildChunks(flushes: readonly Flush[]): ChunkRow[] {
  const all = joinPoints(flushes)
  const { series, indexes, starts } = sortBySeries(all)
  const sorted = arrange(all, joinGenerations(flushes, all.count), indexes)
  return series.flatMap((one, index) => {
    const [start = 0, end = 0] = [starts[index], starts[index + 1]]
    // Points of many days that come at once are history; few points around a midnight are followed by more of each day.
    const joinsDays = end - start >= SMALL
    return packSeries(one, pointsOf(all, sorted, indexes.subarray(start, end), start, one), {
      compress: false,
      joinsDays,
    })
  })
}

interface Arranged {
  readonly at: Float64Array
  readonly generation: Float64Array
  readonly numbers: Float64Array
}

/** Fills one piece of memory for all series, of which each series gets its part. */
function arrange(all: PointColumns, generations: Float64Array, indexes: Uint32Array): Arranged {
  const at = new Float64Array(all.count)
  const generation = new Float64Array(all.count)
  const numbers = new Float64Array(all.count)
  for (let index = 0; index < indexes.length; index++) {
    const from = indexes[index] ?? 0
    at[index] = all.at[from] ?? 0
    generation[index] = generations[from] ?? 0
    numbers[index] = all.values[from] ?? 0
  }
  return { at, generation, numbers }
}

interface SortedSeries {
  readonly series: readonly SeriesOf[]
  /** The indexes of all points, series by series, each in the order of arrival. */
  readonly indexes: Uint32Array
  readonly starts: Uint32Array
}

/** A counting sort, whose cost grows linearly with the number of points. */
function sortBySeries(all: PointColumns): SortedSeries {
  const { series, ordinals } = findSeries(all)
  const starts = new Uint32Array(series.length + 1)
  for (const ordinal of ordinals) starts[ordinal + 1] = (starts[ordinal + 1] ?? 0) + 1
  for (let index = 1; index < starts.length; index++) starts[index] = (starts[index] ?? 0) + (starts[index - 1] ?? 0)
  const next = starts.slice()
  const indexes = new Uint32Array(all.count)
  for (let index = 0; index < all.count; index++) {
    const ordinal = ordinals[index] ?? 0
    const to = next[ordinal] ?? 0
    indexes[to] = index
    next[ordinal] = to + 1
  }
  return { series, indexes, starts }
}

function findSeries({ count, series: ids, kinds, domains }: PointColumns): {
  readonly series: readonly SeriesOf[]
  readonly ordinals: Uint32Array
} {
  const series: SeriesOf[] = []
  const known = new Map<number, number>()
  const ordinals = new Uint32Array(count)
  let [domain, segment] = [domains[0], 0]
  for (let index = 0; index < count; index++) {
    while (domain !== undefined && index >= domain.end) domain = domains[++segment]
    const seriesId = ids[index] ?? 0
    let ordinal = known.get(seriesId)
    if (ordinal === undefined) {
      ordinal = series.length
      known.set(seriesId, ordinal)
      series.push({ domainId: domain?.domainId ?? 0, seriesId, kind: KINDS[kinds[index] ?? 0] ?? 'float' })
    }
    ordinals[index] = ordinal
  }
  return { series, ordinals }
}

function joinGenerations(flushes: readonly Flush[], count: number): Float64Array {
  const generations = new Float64Array(count)
  let offset = 0
  for (const { generation, count: points } of flushes) {
    if (typeof generation === 'number') generations.fill(generation, offset, offset + points)
    else generations.set(generation.subarray(0, points), offset)
    offset += points
  }
  return generations
}

function pointsOf(
  all: PointColumns,
  { at, generation, numbers }: Arranged,
  indexes: Uint32Array,
  start: number,
  { kind }: SeriesOf,
): GeneratedColumns {
  const end = start + indexes.length
  return {
    at: at.subarray(start, end),
    generation: generation.subarray(start, end),
    values: valuesAt(all, indexes, kind, numbers.subarray(start, end)),
  }
}

function valuesAt(
  { others }: PointColumns,
  indexes: Uint32Array,
  kind: SeriesOf['kind'],
  numbers: Float64Array,
): ChunkValues {
  if (kind === 'text') return Array.from(indexes, (index) => String(others.get(index) ?? ''))
  const isWide = kind === 'integer' && others.size > 0 && indexes.some((index) => others.has(index))
  if (!isWide) return numbers
  return BigInt64Array.from(indexes, (from, index) => BigInt(others.get(from) ?? numbers[index] ?? 0))
}
