import { DAY } from '../../datapoints/pack-series.ts'
import type { Database } from '../../db/sql.ts'
import { fetchChunkStarts, type ChunkStart } from '../../store/datapoints/chunk-starts.ts'
import { readDomain } from '../../store/domains.ts'
import type { PointRange, PointReader, SeriesPart, SeriesReference } from './point-reader.ts'
import { rangeSlices } from './range-slices.ts'
import { readLatestPoints } from './read-latest-points.ts'
import { readPoints } from './read-points.ts'

/** Points that are in memory at once; a slow reader holds no lock and no transaction while it makes up its mind. */
const POINTS_OF_SLICE = 100_000

/** Looked up at once: so many begin in a slice and more. */
const STARTS = 500

/** The points of one domain, as they are stored. */
export function storedPointReader(database: Database, domainId: number): PointReader {
  return {
    async *read(series, range) {
      for (const one of series) yield* readSeries(database, domainId, one, range)
    },
    latest: (series, before) => readLatestPoints(database, domainId, series, before),
  }
}

async function* readSeries(
  database: Database,
  domainId: number,
  series: SeriesReference,
  range: PointRange,
): AsyncGenerator<SeriesPart> {
  const points = Math.min(POINTS_OF_SLICE, range.limit ?? POINTS_OF_SLICE)
  const starts = chunkStarts(database, domainId, series, range)
  for await (const slice of rangeSlices(range, range.order === 'newest first', points, starts)) {
    const found = await readPoints(database, domainId, [series], slice)
    const columns = found.get(series.seriesId)
    if (columns !== undefined && columns.at.length > 0) yield { seriesId: series.seriesId, columns }
  }
}

/** Of all chunks that may have points of the range: one that begins before it ends with its day. */
async function* chunkStarts(
  database: Database,
  domainId: number,
  { seriesId }: SeriesReference,
  { from, to, order }: PointRange,
): AsyncGenerator<ChunkStart> {
  const isNewestFirst = order === 'newest first'
  for (let rest = { from: from - DAY, to }; ;) {
    const starts = await readDomain(database, domainId, (sql) =>
      fetchChunkStarts(sql, domainId, seriesId, { ...rest, isNewestFirst }, STARTS),
    )
    yield* starts
    const last = starts.at(-1)
    if (last === undefined || starts.length < STARTS) return
    rest = isNewestFirst ? { ...rest, to: last.t0 } : { ...rest, from: last.t0 + 1 }
  }
}
