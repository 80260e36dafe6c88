import { buildChunks } from '../../../datapoints/chunks/build-chunks.ts'
import { decodeChunk } from '../../../datapoints/chunks/chunk.ts'
import type { Flush } from '../../../datapoints/chunks/flush.ts'
import { joinGenerated } from '../../../datapoints/chunks/merge-points.ts'
import { DAY, packSeries, type ChunkRow } from '../../../datapoints/chunks/pack-series.ts'
import { encodeChunkRows, type SeriesDay, type StoredChunk } from '../../../store/datapoints/chunks.ts'
import { monthOf } from '../../../store/datapoints/partitions.ts'

// What a thread of its own does for the compactor: it takes a fifth of what the whole way of a point does, and whoever
// waits for an answer should not wait for it.

/** Chunks, ready to be inserted. */
export interface FoldedPoints {
  readonly encoded: Uint8Array<ArrayBuffer>
  /** The partitions that they need. */
  readonly months: readonly number[]
  /** Where there are new small chunks. */
  readonly small: readonly SmallChunk[]
}

export interface SmallChunk extends SeriesDay {
  readonly count: number
}

/** A chunk with fewer points is merged with others of its day, when there are enough. */
export const SMALL = 600

export function foldFlushes(flushes: readonly Flush[]): FoldedPoints {
  return fold(buildChunks(flushes))
}

/** Chunks of several series as fewer and compressed ones. */
export function foldChunks(chunks: readonly StoredChunk[]): FoldedPoints {
  const bySeries = Map.groupBy(chunks, ({ seriesId }) => seriesId)
  return fold([...bySeries.values()].flatMap(mergeSeries))
}

function mergeSeries(chunks: readonly StoredChunk[]): ChunkRow[] {
  const [first] = chunks
  if (first === undefined) return []
  const points = joinGenerated(chunks.map(({ points: bytes, kind }) => decodeChunk(bytes, kind)))
  return packSeries(first, points, { compress: true })
}

function fold(rows: readonly ChunkRow[]): FoldedPoints {
  return {
    encoded: encodeChunkRows(rows),
    months: [...new Set(rows.map(({ t0 }) => monthOf(t0)))],
    small: rows
      .filter(({ count }) => count < SMALL)
      .map(({ domainId, seriesId, t0, count }) => ({ domainId, seriesId, day: t0 - (t0 % DAY), count })),
  }
}
