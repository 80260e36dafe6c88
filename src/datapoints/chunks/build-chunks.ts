import type { ChunkValues } from './chunk-values.ts'
import type { GeneratedColumns } from './chunk.ts'
import { joinPoints, KINDS, type Flush, type PointColumns } from './flush.ts'
import { packSeries, type ChunkRow, type SeriesOf } from './pack-series.ts'

/** What several flushes wrote, in their order, as chunks: small ones, made quickly. */
export function buildChunks(flushes: readonly Flush[]): ChunkRow[] {
  const all = joinPoints(flushes)
  const { series, places, starts } = sortBySeries(all)
  const sorted = arrange(all, joinGenerations(flushes, all.count), places)
  return series.flatMap((one, index) => {
    const [start = 0, end = 0] = [starts[index], starts[index + 1]]
    return packSeries(one, pointsOf(all, sorted, places.subarray(start, end), start, one), { compress: false })
  })
}

interface Arranged {
  readonly at: Float64Array
  readonly generation: Float64Array
  readonly numbers: Float64Array
}

/** One piece of memory for all series, of which each gets its part. */
function arrange(all: PointColumns, generations: Float64Array, places: Uint32Array): Arranged {
  const at = new Float64Array(all.count)
  const generation = new Float64Array(all.count)
  const numbers = new Float64Array(all.count)
  for (let index = 0; index < places.length; index++) {
    const place = places[index] ?? 0
    at[index] = all.at[place] ?? 0
    generation[index] = generations[place] ?? 0
    numbers[index] = all.values[place] ?? 0
  }
  return { at, generation, numbers }
}

interface SortedSeries {
  readonly series: readonly SeriesOf[]
  /** Those of the first series, then those of the second, …, each in the order of arrival. */
  readonly places: Uint32Array
  readonly starts: Uint32Array
}

/** A counting sort: its cost grows with the points alone. */
function sortBySeries(all: PointColumns): SortedSeries {
  const { series, ordinals } = findSeries(all)
  const starts = new Uint32Array(series.length + 1)
  for (const ordinal of ordinals) starts[ordinal + 1] = (starts[ordinal + 1] ?? 0) + 1
  for (let index = 1; index < starts.length; index++) starts[index] = (starts[index] ?? 0) + (starts[index - 1] ?? 0)
  const next = starts.slice()
  const places = new Uint32Array(all.count)
  for (let place = 0; place < all.count; place++) {
    const ordinal = ordinals[place] ?? 0
    const to = next[ordinal] ?? 0
    places[to] = place
    next[ordinal] = to + 1
  }
  return { series, places, starts }
}

function findSeries({ count, series: ids, kinds, domains }: PointColumns): {
  readonly series: readonly SeriesOf[]
  readonly ordinals: Uint32Array
} {
  const series: SeriesOf[] = []
  const known = new Map<number, number>()
  const ordinals = new Uint32Array(count)
  let [domain, segment] = [domains[0], 0]
  for (let place = 0; place < count; place++) {
    while (domain !== undefined && place >= domain.end) domain = domains[++segment]
    const seriesId = ids[place] ?? 0
    let ordinal = known.get(seriesId)
    if (ordinal === undefined) {
      ordinal = series.length
      known.set(seriesId, ordinal)
      series.push({ domainId: domain?.domainId ?? 0, seriesId, kind: KINDS[kinds[place] ?? 0] ?? 'float' })
    }
    ordinals[place] = ordinal
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
  places: Uint32Array,
  start: number,
  { kind }: SeriesOf,
): GeneratedColumns {
  const end = start + places.length
  return {
    at: at.subarray(start, end),
    generation: generation.subarray(start, end),
    values: valuesAt(all, places, kind, numbers.subarray(start, end)),
  }
}

function valuesAt(
  { others }: PointColumns,
  places: Uint32Array,
  kind: SeriesOf['kind'],
  numbers: Float64Array,
): ChunkValues {
  if (kind === 'text') return Array.from(places, (place) => String(others.get(place) ?? ''))
  const isWide = kind === 'integer' && others.size > 0 && places.some((place) => others.has(place))
  if (!isWide) return numbers
  return BigInt64Array.from(places, (place, index) => BigInt(others.get(place) ?? numbers[index] ?? 0))
}
