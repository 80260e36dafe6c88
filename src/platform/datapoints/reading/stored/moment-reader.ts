import type { GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import { decodeSummaries } from '../../../../datapoints/chunks/summaries.ts'
import type { Database, Sql } from '../../../../db/sql.ts'
import { fetchChunksOfRanges, fetchSummaries } from '../../../../store/datapoints/packed/chunk-summaries.ts'
import { fetchChunkStarts } from '../../../../store/datapoints/packed/chunks.ts'
import {
  fetchBuffersOf,
  FoldedMeanwhile,
  refuseFolded,
} from '../../../../store/datapoints/arriving/domains-of-buffers.ts'
import {
  fetchChunks,
  fetchHotSegments,
  LOCK_OF_HOT_POINTS,
  LOCK_OF_HOT_TABLE,
  ORDER_OF_INDEX,
} from '../../../../store/datapoints/points/points.ts'
import { readDomainFrom } from '../../../../store/domains.ts'
import type { LookedUp } from '../series/find-series.ts'
import { BlockReader } from './block-reader.ts'
import { keptPoints, type PointReader, type SeriesReference } from './point-reader.ts'
import type { NewestRow } from '../../../../store/datapoints/points/latest-points.ts'
import { fetchNewest } from './latest-in-blocks.ts'
import { findLatestPoints } from './find-latest-points.ts'
import { unpack, within } from './read-points.ts'
import { readSlices } from './read-slices.ts'
import { fetchSizes, readTogether, type TogetherSource } from './read-together.ts'
import { readStretches, type StretchSource } from './read-stretches.ts'
import { mergedPoints, segmentPoints, type PointsBySeries } from './segment-points.ts'

/** The time limit of each statement of a look-up, because it blocks folding, and in the end also ingest. */
const LONGEST_LOOK_UP_MS = 2_000

/**
 * Looks up series and reads them before `to` at one moment, even if others write, fold, merge, rename or delete at the
 * same time. Hot points are fetched first, so that folding waits for no reader. All other data are ordinary rows, of
 * which PostgreSQL keeps a snapshot. `find` must return only series that the sender may see. If the last points are
 * read, the rows for them are requested together with the look-up. `work` holds a connection until it has ended.
 *
 * It reads the buffers of the domain without locking others. If one of them is folded at the same time, it begins again
 * under the lock of all buffers (docs/decisions/0084).
 */
export async function readAtOneMoment<Found, T>(
  database: Database,
  domainId: number,
  moment: Moment,
  find: (sql: Sql) => Promise<LookedUp<FoundSeries<Found>>>,
  work: (reader: PointReader, found: Found, series: readonly SeriesReference[]) => Promise<T>,
): Promise<T> {
  // There is only one process, and it has two buffers.
  if (database.isSingle === true) return readUnder(LOCK_OF_HOT_POINTS, database, domainId, moment, find, work)
  try {
    return await readUnder(LOCK_OF_HOT_TABLE, database, domainId, moment, find, work)
  } catch (error) {
    if (!(error instanceof FoldedMeanwhile)) throw error
    return readUnder(LOCK_OF_HOT_POINTS, database, domainId, moment, find, work)
  }
}

function readUnder<Found, T>(
  lock: typeof LOCK_OF_HOT_POINTS | typeof LOCK_OF_HOT_TABLE,
  database: Database,
  domainId: number,
  { to, isForLatest = false }: Moment,
  find: (sql: Sql) => Promise<LookedUp<FoundSeries<Found>>>,
  work: (reader: PointReader, found: Found, series: readonly SeriesReference[]) => Promise<T>,
): Promise<T> {
  return readDomainFrom(
    database,
    domainId,
    { lock, longestMs: LONGEST_LOOK_UP_MS, afterwards: ORDER_OF_INDEX },
    async (sql, giveBack) => {
      const [{ ids, named }, buffers] = await Promise.all([
        find(sql),
        lock === LOCK_OF_HOT_TABLE ? fetchBuffersOf(sql, domainId) : undefined,
      ])
      const [naming, fetching] = [named(), fetchHotSegments(sql, domainId, ids, to, buffers)]
      const checking = ids.length === 0 ? undefined : refuseFolded(sql, buffers ?? [])
      giveBack()
      const newest = isForLatest ? fetchNewest(sql, domainId, ids, to) : undefined
      // The code that needs the result awaits it and reports its error.
      newest?.catch(() => undefined)
      const [{ found, series }, segments] = await Promise.all([naming, fetching, checking])
      const visible = new Set(series.map(({ seriesId }) => seriesId))
      return { found, series, visible, hot: await segmentPoints(segments, visible), newest }
    },
    (sql, { found, series, visible, hot, newest }) => {
      const stored = { sql, domainId, to, hot, newest, blocks: new BlockReader(sql, domainId, visible, to) }
      return work(keptPoints(momentReader(stored)), found, series)
    },
  )
}

/** The time before which points are read, and whether only the last point of each series is needed. */
interface Moment {
  readonly to: number
  readonly isForLatest?: boolean
}

/** The result of a look-up, and its series that have points. */
export interface FoundSeries<Found> {
  readonly found: Found
  readonly series: readonly SeriesReference[]
}

/** A look-up whose result is already complete. */
export function alreadyNamed<Found>(known: FoundSeries<Found>): LookedUp<FoundSeries<Found>> {
  return {
    ids: known.series.map(({ seriesId }) => seriesId),
    named: () => Promise.resolve(known),
  }
}

interface Stored {
  readonly sql: Sql
  readonly domainId: number
  /** Only points before this time are read. */
  readonly to: number
  readonly hot: PointsBySeries
  /** The newest rows of the blocks, if the last points are read. */
  readonly newest: Promise<readonly NewestRow[]> | undefined
  readonly blocks: BlockReader
}

/** The points of a series from a time on not in chunks, each time once. Some earlier points may be among them. */
async function otherPoints({ hot, blocks }: Stored, { seriesId, kind }: SeriesReference, from: number) {
  const parts = [...((await blocks.read(seriesId, from)) ?? []), ...(hot.get(seriesId) ?? [])]
  return mergedPoints(parts.length === 0 ? undefined : parts, kind)
}

function momentReader(stored: Stored): PointReader {
  const { sql, domainId, to, hot, newest } = stored
  return {
    async *read(series, range) {
      yield* readTogether(sliceSource(stored, range.from), series, range)
    },
    stretches: (series, range) => readStretches(stretchSource(stored, range.from), series, range),
    latest: (series, before, longest) =>
      findLatestPoints(sql, domainId, series, { before, longest, hot, newest: before === to ? newest : undefined }),
  }
}

function sliceSource(stored: Stored, from: number): TogetherSource {
  const { sql, domainId } = stored
  return {
    async starts({ seriesId }, query, limit) {
      // The block is needed next in any case, so it is read at the same time.
      const [starts] = await Promise.all([
        fetchChunkStarts(sql, domainId, seriesId, query, limit),
        stored.blocks.read(seriesId, from),
      ])
      return starts
    },
    async points(series, slice) {
      const [chunks, other] = await Promise.all([
        fetchChunks(sql, domainId, [series.seriesId], slice),
        otherPoints(stored, series, from),
      ])
      return unpack(chunks, [within(other, slice)], series, slice)
    },
    sizes: (series, range) => fetchSizes(sql, domainId, series, range),
    async together(series, range) {
      const ids = series.map(({ seriesId }) => seriesId)
      stored.blocks.readAhead(ids, from)
      const chunks = Map.groupBy(await fetchChunks(sql, domainId, ids, range), ({ seriesId }) => seriesId)
      const columns = new Map<number, GeneratedColumns>()
      for (const one of series) {
        const other = await otherPoints(stored, one, from)
        columns.set(one.seriesId, unpack(chunks.get(one.seriesId) ?? [], [within(other, range)], one, range))
      }
      return columns
    },
  }
}

function stretchSource(stored: Stored, from: number): StretchSource {
  const { sql, domainId } = stored
  return {
    summaries: async ({ seriesId, kind }, range, grain) =>
      decodeSummaries(await fetchSummaries(sql, domainId, seriesId, range, grain), kind),
    async otherTimes(series) {
      return (await otherPoints(stored, series, from)).at
    },
    async points(series, slices) {
      const [found, other] = await Promise.all([
        fetchChunksOfRanges(sql, domainId, series.seriesId, slices),
        otherPoints(stored, series, from),
      ])
      const chunks = Map.groupBy(found, ({ range }) => range)
      return slices.map((slice, index) => unpack(chunks.get(index + 1) ?? [], [within(other, slice)], series, slice))
    },
    slices: (series, slice) => readSlices(sliceSource(stored, from), series, { ...slice, order: 'oldest first' }),
  }
}
