import { joinGenerated } from '../../../datapoints/chunks/merge-points.ts'
import { DAY, isSmall, packSeries, type ChunkRow, type Packing } from '../../../datapoints/chunks/pack-series.ts'
import { levelOfLasting } from '../../../datapoints/segments/block-levels.ts'
import type { Leaving } from '../../../datapoints/segments/divide-points.ts'
import { foldIntoBlocks, foldLasting, type BlocksAndChunks } from '../../../datapoints/segments/fold-into-blocks.ts'
import type { Segment } from '../../../datapoints/segments/segment.ts'
import { encodeBlockRows } from '../../../store/datapoints/packed/blocks.ts'
import { encodeChunkRows, type DayOfDomain, type StoredChunk } from '../../../store/datapoints/packed/chunks.ts'
import type { SeriesTime } from '../../../store/datapoints/packed/sparse-chunks.ts'
import { monthOf } from '../../../datapoints/chunks/chunk-partition.ts'
import { DamagedPoints, decodeStored, decodeStoredSegment } from '../damaged-points.ts'
import { decodeRange, rangesOf, type HotFlush, type HotPiece } from './fold-ranges.ts'

// This work runs on a thread of its own. It is a fifth of the whole work for a point, and requests should not wait
// for it.

/** Rows of one block of a domain that become one. */
export interface MergingBlock {
  readonly domainId: number
  readonly segments: readonly Segment[]
  /** The series that still exist. */
  readonly series: ReadonlySet<number>
  /** Null if the rows last. */
  readonly leaving: Leaving | null
}

/** The level of the new rows of blocks, unless their points last. */
export interface BlockPlace {
  readonly level: number
  /** Microseconds since 1970. */
  readonly arrivedAt: number
}

/** The number that is added to the generation of each new row (`withFreeKeys`). */
export interface Raised {
  readonly raised: number
}

/** Hot flushes that are to be folded. */
export interface FoldingFlushes extends Raised {
  readonly flushes: readonly HotFlush[]
  /** Microseconds since 1970. */
  readonly arrivedAt: number
  /** Whether these segments are only a part of one flush. */
  readonly arePart: boolean
}

/** Encoded rows that are ready to be inserted. */
export interface FoldedPoints {
  readonly encoded: Uint8Array<ArrayBuffer>
  /** The months of the partitions that the chunks need. */
  readonly months: readonly number[]
  /** The days with new small chunks. */
  readonly small: readonly SmallChunk[]
  readonly encodedBlocks: Uint8Array<ArrayBuffer>
  readonly blocks: readonly NewBlock[]
  /** The given segments that cannot be read. */
  readonly damaged?: readonly DamagedRow[]
}

interface DamagedRow {
  readonly index: number
  readonly reason: string
}

export interface SmallChunk extends DayOfDomain {
  readonly count: number
}

/** A new row of a block. */
export interface NewBlock extends BlockPlace {
  readonly domainId: number
  readonly block: number
  readonly count: number
  /** The length of the block's points in bytes. */
  readonly bytes: number
}

/** Points that all leave their blocks at once. */
const ALL_LEAVE: Leaving = { until: Infinity, leastOfChunk: 1 }

/**
 * Gathers the stored points, domain by domain. If a flush is folded in several parts, all its points become chunks:
 * as rows of blocks, two parts could have rows with the same key. Damaged segments are counted over all flushes, and left out.
 */
export function foldFlushes({ flushes, arrivedAt, arePart, raised }: FoldingFlushes): FoldedPoints {
  const all = flushes.flatMap((flush) => flush.pieces.map((piece) => ({ flush, piece })))
  const fold = (pieces: readonly HotPiece[]): FoldedPoints =>
    encode(gather(pieces, arePart ? ALL_LEAVE : undefined), { level: 0, arrivedAt, raised })
  try {
    return fold(all)
  } catch (error) {
    if (!(error instanceof DamagedPoints)) throw error
    const damaged = all.flatMap((piece, index) => damageOf(piece, index))
    const left = new Set(damaged.map(({ index }) => index))
    return { ...fold(all.filter((_, index) => !left.has(index))), damaged }
  }
}

function gather(all: readonly HotPiece[], leaving: Leaving | undefined): BlocksAndChunks[] {
  const domains = [...Map.groupBy(all, ({ piece }) => piece.domainId)]
  return domains.flatMap(([domainId, pieces]) =>
    rangesOf(pieces).map((range) => foldIntoBlocks(domainId, decodeRange(pieces, range), leaving)),
  )
}

function damageOf(piece: HotPiece, index: number): DamagedRow[] {
  try {
    decodeRange([piece], { first: 0, end: Infinity })
    return []
  } catch (error) {
    if (!(error instanceof DamagedPoints)) throw error
    return [{ index, reason: error.message }]
  }
}

/** Gathers rows of one block into one row, without the points of series that were deleted and without damaged rows. */
export function foldBlock(
  { domainId, segments, series, leaving }: MergingBlock,
  place: BlockPlace & Raised,
): FoldedPoints {
  const damaged: DamagedRow[] = []
  const parts = segments.flatMap((segment, index) => {
    try {
      return decodeStoredSegment(segment, series)
    } catch (error) {
      if (!(error instanceof DamagedPoints)) throw error
      damaged.push({ index, reason: error.message })
      return []
    }
  })
  const gathered = leaving === null ? foldLasting(domainId, parts) : foldIntoBlocks(domainId, parts, leaving)
  return { ...encode([gathered], place), damaged }
}

function encode(gathered: readonly BlocksAndChunks[], { raised, ...place }: BlockPlace & Raised): FoldedPoints {
  const blocks = gathered.flatMap(({ blocks: young, lasting }) => [
    ...young.map((row) => ({ ...row, ...place })),
    ...lasting.map((row) => ({ ...row, ...place, level: levelOfLasting(row, place.level) })),
  ])
  return {
    ...fold(
      gathered.flatMap(({ chunks }) => chunks),
      raised,
    ),
    encodedBlocks: encodeBlockRows(raise(blocks, raised)),
    blocks: blocks.map(({ domainId, block, level, arrivedAt, count, points }) => {
      return { domainId, block, level, arrivedAt, count, bytes: points.length }
    }),
  }
}

/** Folds chunks of several series into fewer, compressed ones. */
export function foldChunks(
  chunks: readonly StoredChunk[],
  raised: number,
  staying?: readonly SeriesTime[],
): FoldedPoints {
  const bySeries = Map.groupBy(chunks, ({ seriesId }) => seriesId)
  const staysOf = Map.groupBy(staying ?? [], ({ seriesId }) => seriesId)
  return fold(
    [...bySeries].flatMap(([seriesId, own]) => {
      const stays = staysOf.get(seriesId)?.map(({ t0 }) => t0) ?? []
      return mergeSeries(own, { compress: true, joinsDays: true, stays, isJoined: staying !== undefined })
    }),
    raised,
  )
}

function mergeSeries(chunks: readonly StoredChunk[], packing: Packing): ChunkRow[] {
  const [first] = chunks
  if (first === undefined) return []
  const points = joinGenerated(chunks.map((chunk) => decodeStored(chunk, chunk.points, chunk.kind)))
  return packSeries(first, points, packing)
}

function raise<Row extends { readonly generation: number }>(rows: readonly Row[], raised: number): readonly Row[] {
  return raised === 0 ? rows : rows.map((row) => ({ ...row, generation: row.generation + raised }))
}

function fold(rows: readonly ChunkRow[], raised: number): FoldedPoints {
  return {
    encoded: encodeChunkRows(raise(rows, raised)),
    months: [...new Set(rows.map(({ t0 }) => monthOf(t0)))],
    small: rows
      .filter((row) => isSmall(row) && row.span === 0)
      .map(({ domainId, seriesId, t0, count }) => ({ domainId, seriesId, day: t0 - (t0 % DAY), count })),
    encodedBlocks: new Uint8Array(),
    blocks: [],
  }
}
