import type { GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { decodeSummaries } from '../../../datapoints/chunks/summaries.ts'
import { mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { fetchChunksOfRanges, fetchSummaries } from '../../../store/datapoints/chunk-summaries.ts'
import { fetchChunkStarts } from '../../../store/datapoints/chunk-starts.ts'
import { fetchLatestOfChunks } from '../../../store/datapoints/latest-points.ts'
import {
  fetchChunks,
  fetchHotPoints,
  holdHotPoints,
  preferOrderOfIndex,
  type HotPoint,
} from '../../../store/datapoints/points.ts'
import { readDomainFrom } from '../../../store/domains.ts'
import { keptPoints } from './kept-points.ts'
import type { PointReader, SeriesReference } from './point-reader.ts'
import { lastOf, latestOf } from './read-latest-points.ts'
import { hotColumns, unpack, within } from './read-points.ts'
import { readSlices, type SliceSource } from './read-slices.ts'
import { readStretches, type StretchSource } from './read-stretches.ts'

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
    (sql) => fetchHotPoints(sql, ids, to),
    async (sql, hot) => {
      await preferOrderOfIndex(sql)
      return work(keptPoints(momentReader(sql, domainId, hotOf(series, hot))))
    },
  )
}

type HotOf = (series: SeriesReference) => GeneratedColumns

function hotOf(series: readonly SeriesReference[], hot: readonly HotPoint[]): HotOf {
  const points = Map.groupBy(hot, ({ seriesId }) => seriesId)
  const columns = new Map(
    series.map(({ seriesId, kind }) => [seriesId, mergePoints(hotColumns(points.get(seriesId) ?? [], kind))]),
  )
  return ({ seriesId, kind }) => columns.get(seriesId) ?? hotColumns([], kind)
}

function momentReader(sql: Sql, domainId: number, hot: HotOf): PointReader {
  const source: SliceSource = {
    starts: ({ seriesId }, query, limit) => fetchChunkStarts(sql, domainId, seriesId, query, limit),
    async points(series, slice) {
      const chunks = await fetchChunks(sql, domainId, series.seriesId, slice)
      return unpack(chunks, within(hot(series), slice), series.kind, slice)
    },
  }
  const summarized: StretchSource = {
    summaries: async ({ seriesId, kind }, range) =>
      decodeSummaries(await fetchSummaries(sql, domainId, seriesId, range), kind),
    hotAt: (series) => hot(series).at,
    async points(series, slices) {
      const found = await fetchChunksOfRanges(sql, domainId, series.seriesId, slices)
      const chunks = Map.groupBy(found, ({ range }) => range)
      return slices.map((slice, index) =>
        unpack(chunks.get(index + 1) ?? [], within(hot(series), slice), series.kind, slice),
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
      const last = series.map((one) => [one.seriesId, lastOf(hot(one), before)] as const)
      return latestOf(series, found, before, last)
    },
  }
}
