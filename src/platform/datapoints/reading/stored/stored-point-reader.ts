import type { Before } from '../../../../datapoints/chunks/point-columns.ts'
import type { Database } from '../../../../db/sql.ts'
import { fetchChunkStarts } from '../../../../store/datapoints/packed/chunks.ts'
import {
  fetchHotSegments,
  fetchVisibleSeries,
  holdHotPoints,
  preferOrderOfIndex,
} from '../../../../store/datapoints/points/points.ts'
import { readDomain, writeAccess } from '../../../../store/domains.ts'
import { keptPoints, type PointReader, type SeriesReference } from './point-reader.ts'
import { findLatestPoints } from './find-latest-points.ts'
import { readPoints } from './read-points.ts'
import { readSlices } from './read-slices.ts'
import { fetchSizes, readTogether, type TogetherSource } from './read-together.ts'
import { segmentPoints } from './segment-points.ts'

/**
 * Reads the stored points of one domain. Each slice of a long range has its own snapshot, so that a slow reader holds
 * no lock and no transaction. `readAtOneMoment` reads a range in a single snapshot.
 */
export function storedPointReader(database: Database, domainId: number): PointReader {
  const source: TogetherSource = {
    starts: ({ seriesId }, query, limit) =>
      readDomain(database, domainId, (sql) => fetchChunkStarts(sql, domainId, seriesId, query, limit)),
    async points(series, slice) {
      const found = await readPoints(database, domainId, [series], slice)
      return found.get(series.seriesId) ?? { at: new Float64Array(), generation: 0, values: [] }
    },
    sizes: (series, range) => readDomain(database, domainId, (sql) => fetchSizes(sql, domainId, series, range)),
    together: (series, range) => readPoints(database, domainId, series, range),
  }
  return keptPoints({
    read: (series, range) => readTogether(source, series, range),
    async *stretches(series, range) {
      for await (const { columns } of readSlices(source, series, { ...range, order: 'oldest first' })) yield [columns]
    },
    latest: (series, before, longest) => readLatestPoints(database, domainId, series, { before, longest }),
  })
}

/** `readDomain` is not used, because its snapshot would be older than the lock. */
function readLatestPoints(
  database: Database,
  domainId: number,
  series: readonly SeriesReference[],
  { before, longest }: { readonly before: number; readonly longest?: number | undefined },
): Promise<ReadonlyMap<number, Before>> {
  const ids = series.map(({ seriesId }) => seriesId)
  return writeAccess(database, domainId, async (sql) => {
    await holdHotPoints(sql)
    const visible = await fetchVisibleSeries(sql, domainId, ids)
    const hot = await segmentPoints(await fetchHotSegments(sql, domainId, ids, before), visible)
    await preferOrderOfIndex(sql)
    const seen = series.filter(({ seriesId }) => visible.has(seriesId))
    return findLatestPoints(sql, domainId, seen, { before, longest, hot })
  })
}
