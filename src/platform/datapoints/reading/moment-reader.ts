import type { GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { decodeSummaries } from '../../../datapoints/chunks/summaries.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { fetchChunksOfRanges, fetchSummaries } from '../../../store/datapoints/chunk-summaries.ts'
import { fetchChunkStarts } from '../../../store/datapoints/chunk-starts.ts'
import { fetchLatestOfChunks } from '../../../store/datapoints/latest-points.ts'
import {
  fetchChunks,
  fetchHotSegments,
  fetchVisibleSeries,
  holdHotPoints,
  preferOrderOfIndex,
} from '../../../store/datapoints/points.ts'
import { readDomainFrom } from '../../../store/domains.ts'
import { BlockReader } from './block-reader.ts'
import { keptPoints } from './kept-points.ts'
import type { PointReader, SeriesReference } from './point-reader.ts'
import { lastOf, latestOf } from './read-latest-points.ts'
import { unpack, within } from './read-points.ts'
import { readSlices, type SliceSource } from './read-slices.ts'
import { readStretches, type StretchSource } from './read-stretches.ts'
import { mergedPoints, segmentPoints, type PointsBySeries } from './segment-points.ts'

/**
 * Reads series before `to` as they are at one moment, whatever is written, folded and merged at the same time. Points
 * that are not folded yet are fetched first, so that folding waits for no reader; chunks are ordinary rows, of which
 * PostgreSQL keeps a snapshot. `work` holds a connection until it has ended.
 */
export function readAtOneMoment<T>(
  database: Database,
  domainId: number,
  series: readonly SeriesReference[],
  to: number,
  work: (reader: PointReader) => Promise<T>,
): Promise<T> {
  const ids = series.map(({ seriesId }) => seriesId)
  return readDomainFrom(
    database,
    domainId,
    holdHotPoints,
    async (sql) => {
      const visible = await fetchVisibleSeries(sql, domainId, ids)
      return { visible, hot: segmentPoints(await fetchHotSegments(sql, domainId, ids, to), visible) }
    },
    async (sql, { visible, hot }) => {
      await preferOrderOfIndex(sql)
      const others = otherPoints(hot, new BlockReader(sql, domainId, visible, to))
      return work(keptPoints(momentReader(sql, domainId, others)))
    },
  )
}

/** The points of a series that are not in chunks, each time once. */
type OtherPoints = (series: SeriesReference) => Promise<GeneratedColumns>

function otherPoints(hot: PointsBySeries, blocks: BlockReader): OtherPoints {
  return async ({ seriesId, kind }) => {
    const parts = [...((await blocks.read(seriesId)) ?? []), ...(hot.get(seriesId) ?? [])]
    return mergedPoints(parts.length === 0 ? undefined : parts, kind)
  }
}

function momentReader(sql: Sql, domainId: number, others: OtherPoints): PointReader {
  const source: SliceSource = {
    starts: ({ seriesId }, query, limit) => fetchChunkStarts(sql, domainId, seriesId, query, limit),
    async points(series, slice) {
      const chunks = await fetchChunks(sql, domainId, series.seriesId, slice)
      return unpack(chunks, [within(await others(series), slice)], series.kind, slice)
    },
  }
  const summarized: StretchSource = {
    summaries: async ({ seriesId, kind }, range) =>
      decodeSummaries(await fetchSummaries(sql, domainId, seriesId, range), kind),
    async otherTimes(series) {
      return (await others(series)).at
    },
    async points(series, slices) {
      const found = await fetchChunksOfRanges(sql, domainId, series.seriesId, slices)
      const chunks = Map.groupBy(found, ({ range }) => range)
      const other = await others(series)
      return slices.map((slice, index) =>
        unpack(chunks.get(index + 1) ?? [], [within(other, slice)], series.kind, slice),
      )
    },
    slices: (series, slice) => readSlices(source, series, { ...slice, order: 'oldest first' }),
  }
  return {
    async *read(series, range) {
      for (const one of series) yield* readSlices(source, one, range)
    },
    stretches: (series, range) => readStretches(summarized, series, range),
    async latest(series, before) {
      const ids = series.map(({ seriesId }) => seriesId)
      const found = await fetchLatestOfChunks(sql, domainId, ids, before)
      const last: [number, ReturnType<typeof lastOf>][] = []
      for (const one of series) last.push([one.seriesId, lastOf(await others(one), before)])
      return latestOf(series, found, before, last)
    },
  }
}
