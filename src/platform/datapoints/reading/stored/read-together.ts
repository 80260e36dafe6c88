import type { GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import { blockOf } from '../../../../datapoints/segments/fold-into-blocks.ts'
import type { Sql } from '../../../../db/sql.ts'
import {
  fetchChunksOfSeries,
  fetchSizesOfBlocks,
  type ChunksOfSeries,
  type SizeOfBlock,
} from '../../../../store/datapoints/packed/stored-sizes.ts'
import type { PointRange, SeriesPart, SeriesReference } from './point-reader.ts'
import type { Slice } from './range-slices.ts'
import { CHARACTERS_OF_SLICE, POINTS_OF_SLICE, readSlices, STARTS, type SliceSource } from './read-slices.ts'
import { hasTexts } from './read-points.ts'

/** The number of series that are looked up at once. */
const SERIES_AT_ONCE = 1_000
/** The maximum number of bytes of blocks' rows that are read at once, unless a single block has more. */
const BYTES_OF_BLOCKS = 4_194_304
/** The maximum number of characters of texts in a row of a block. */
const CHARACTERS_OF_ROW = 1_048_576

interface Sizes {
  readonly chunks: readonly ChunksOfSeries[]
  readonly blocks: readonly SizeOfBlock[]
}

/** The stored sizes of some series in a range, without hot points. Both statements run at once. */
export async function fetchSizes(
  sql: Sql,
  domainId: number,
  series: readonly SeriesReference[],
  range: Slice,
): Promise<Sizes> {
  const ids = series.map(({ seriesId }) => seriesId)
  const [chunks, blocks] = await Promise.all([
    fetchChunksOfSeries(sql, domainId, ids, range, STARTS),
    fetchSizesOfBlocks(sql, domainId, ids, range),
  ])
  return { chunks, blocks }
}

/** Looks up the parts of several series with a few statements. */
export interface TogetherSource extends SliceSource {
  sizes(series: readonly SeriesReference[], range: Slice): Promise<Sizes>
  together(series: readonly SeriesReference[], range: Slice): Promise<ReadonlyMap<number, GeneratedColumns>>
}

/**
 * Reads whole ranges of many series, one series after the other. Short series are read together, up to the memory limit
 * of one slice. Long series are read slice by slice.
 */
export async function* readTogether(
  source: TogetherSource,
  series: readonly SeriesReference[],
  range: PointRange,
): AsyncGenerator<SeriesPart> {
  if (series.length === 1 || range.limit !== undefined) {
    for (const one of series) yield* readSlices(source, one, range)
    return
  }
  for (let start = 0; start < series.length; start += SERIES_AT_ONCE) {
    const some = series.slice(start, start + SERIES_AT_ONCE)
    const weights = weightsOf(some, await source.sizes(some, range))
    for (const group of groupsOf(some, weights)) {
      const [first] = group
      if (group.length === 1 && first !== undefined) {
        yield* readSlices(source, first, range)
        continue
      }
      const found = await source.together(group, range)
      for (const { seriesId } of group) {
        const columns = found.get(seriesId)
        if (columns !== undefined && columns.at.length > 0) yield { seriesId, columns }
      }
    }
  }
}

/** The share of a group that each series and each block fills. */
interface Weights {
  ofSeries(series: SeriesReference): number
  ofBlock(block: number): number
}

function weightsOf(series: readonly SeriesReference[], sizes: Sizes): Weights {
  const chunks = new Map(sizes.chunks.map((one) => [one.seriesId, one]))
  const blocks = new Map(sizes.blocks.map((one) => [one.block, one]))
  // The texts of other series of a block are unpacked with the block.
  const isOfTexts = hasTexts(series)
  return {
    ofSeries({ seriesId, kind }) {
      const found = chunks.get(seriesId)
      if (found === undefined) return 0
      if (found.chunks >= STARTS) return Infinity
      const texts = kind === 'text' ? found.characters / CHARACTERS_OF_SLICE : 0
      return found.points / POINTS_OF_SLICE + texts
    },
    ofBlock(block) {
      const { rows = 0, bytes = 0 } = blocks.get(block) ?? {}
      return Math.max(bytes, isOfTexts ? rows * CHARACTERS_OF_ROW : 0) / BYTES_OF_BLOCKS
    },
  }
}

/** Yields groups of neighbours. A group is full when the weights of its series, or of its blocks, reach 1. */
function* groupsOf(series: readonly SeriesReference[], weights: Weights): Generator<readonly SeriesReference[]> {
  let group: SeriesReference[] = []
  let blocks = new Set<number>()
  let [points, bytes] = [0, 0]
  for (const one of series) {
    const block = blockOf(one.seriesId)
    const isFull = points + weights.ofSeries(one) > 1 || (!blocks.has(block) && bytes + weights.ofBlock(block) > 1)
    if (group.length > 0 && isFull) {
      yield group
      group = []
      blocks = new Set()
      ;[points, bytes] = [0, 0]
    }
    bytes += blocks.has(block) ? 0 : weights.ofBlock(block)
    points += weights.ofSeries(one)
    group.push(one)
    blocks.add(block)
  }
  if (group.length > 0) yield group
}
