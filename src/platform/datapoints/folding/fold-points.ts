import { buildChunks } from '../../../datapoints/chunks/build-chunks.ts'
import { decodeChunk } from '../../../datapoints/chunks/chunk.ts'
import type { Flush } from '../../../datapoints/chunks/flush.ts'
import { joinGenerated } from '../../../datapoints/chunks/merge-points.ts'
import { DAY, packSeries, SMALL, type ChunkRow, type Packing } from '../../../datapoints/chunks/pack-series.ts'
import { encodeChunkRows, type SeriesDay, type StoredChunk } from '../../../store/datapoints/chunks.ts'
import type { SeriesTime } from '../../../store/datapoints/sparse-chunks.ts'
import { monthOf } from '../../../store/datapoints/partitions.ts'

// This work runs on a thread of its own. It is a fifth of the whole work for a point, and requests should not wait
// for it.

/** Encoded chunks that are ready to be inserted. */
export interface FoldedPoints {
  readonly encoded: Uint8Array<ArrayBuffer>
  /** The months of the partitions that they need. */
  readonly months: readonly number[]
  /** The days with new small chunks. */
  readonly small: readonly SmallChunk[]
}

export interface SmallChunk extends SeriesDay {
  readonly count: number
}

export function foldFlushes(flushes: readonly Flush[]): FoldedPoints {
  return fold(buildChunks(flushes))
}

/** Folds chunks of several series into fewer, compressed ones. */
export function foldChunks(chunks: readonly StoredChunk[], staying?: readonly SeriesTime[]): FoldedPoints {
  const bySeries = Map.groupBy(chunks, ({ seriesId }) => seriesId)
  const staysOf = Map.groupBy(staying ?? [], ({ seriesId }) => seriesId)
  return fold(
    [...bySeries].flatMap(([seriesId, own]) => {
      const stays = staysOf.get(seriesId)?.map(({ t0 }) => t0) ?? []
      return mergeSeries(own, { compress: true, joinsDays: true, stays, isJoined: staying !== undefined })
    }),
  )
}

function mergeSeries(chunks: readonly StoredChunk[], packing: Packing): ChunkRow[] {
  const [first] = chunks
  if (first === undefined) return []
  const points = joinGenerated(chunks.map(({ points: bytes, kind }) => decodeChunk(bytes, kind)))
  return packSeries(first, points, packing)
}

function fold(rows: readonly ChunkRow[]): FoldedPoints {
  return {
    encoded: encodeChunkRows(rows),
    months: [...new Set(rows.map(({ t0 }) => monthOf(t0)))],
    small: rows
      .filter(({ count, span }) => count < SMALL && span === 0)
      .map(({ domainId, seriesId, t0, count }) => ({ domainId, seriesId, day: t0 - (t0 % DAY), count })),
  }
}
