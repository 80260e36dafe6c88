import { lowerBound } from '../../datapoints/chunks/columns.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { LOCK_OF_HOT_POINTS, type StoredSegment } from '../../store/datapoints/points/points.ts'
import { decodeStored } from '../datapoints/damaged-points.ts'
import { partsOf } from '../datapoints/reading/stored/segment-points.ts'
import { readDomainFrom } from '../../store/domains.ts'
import {
  countChunkPoints,
  fetchKept,
  fetchBlocksBefore,
  fetchHotBefore,
  fetchSeriesAfter,
  fetchStraddlingChunks,
  type SeriesRange,
} from '../../store/datapoints/retention.ts'
import { Retentions } from './retentions.ts'
import { seriesPages } from './series-pages.ts'

/** The cost of changing how long points are kept. */
export interface RetentionCost {
  /** The present retentions. */
  readonly current: Retentions
  /**
   * The number of points that are kept now and would not be any more. A point that was written twice may count twice.
   */
  readonly datapoints: number
  /** All of these points are older than this, in microseconds since 1970. */
  readonly before: number
}

const SERIES_OF_STEP = 1_000

/** Computes the cost at one moment, without holding up writers. */
export function retentionCost(
  database: Database,
  domainId: number,
  change: (current: Retentions) => Retentions,
  now: number,
): Promise<RetentionCost> {
  return readDomainFrom(
    database,
    domainId,
    { lock: LOCK_OF_HOT_POINTS },
    async (sql) => {
      const current = new Retentions(await fetchKept(sql, domainId))
      const changed = change(current)
      const segments = await fetchHotBefore(sql, domainId, changed.lastLimit(now))
      return { current, changed, hot: timesBySeries(segments) }
    },
    async (sql, { current, changed, hot }) => {
      let [datapoints, before] = [0, 0]
      for await (const lost of lostRanges(sql, domainId, current, changed, now)) {
        datapoints += await countPacked(sql, domainId, lost)
        datapoints += await countInBlocks(sql, domainId, lost)
        for (const range of lost) datapoints += countTimes(hot.get(range.seriesId) ?? [], range)
        before = Math.max(before, ...lost.map(({ to }) => to))
      }
      return { current, datapoints, before }
    },
  )
}

/** The ranges that each series would lose, some series at a time. */
async function* lostRanges(
  sql: Sql,
  domainId: number,
  current: Retentions,
  changed: Retentions,
  now: number,
): AsyncGenerator<SeriesRange[]> {
  for await (const series of seriesPages((after) => fetchSeriesAfter(sql, domainId, after, SERIES_OF_STEP))) {
    const ranges = series.map(({ seriesId, characteristicUuid }) => ({
      seriesId,
      from: current.earliestOf(characteristicUuid, now),
      to: changed.earliestOf(characteristicUuid, now),
    }))
    yield ranges.filter(({ from, to }) => from < to)
  }
}

/** Counts exactly: a chunk that reaches over the end of a range is unpacked. */
async function countPacked(sql: Sql, domainId: number, ranges: readonly SeriesRange[]): Promise<number> {
  const rangeOf = new Map(ranges.map((range) => [range.seriesId, range]))
  let count = await countChunkPoints(sql, domainId, ranges)
  for (const { seriesId, kind, points } of await fetchStraddlingChunks(sql, domainId, ranges)) {
    const { from = 0, to = 0 } = rangeOf.get(seriesId) ?? {}
    const { at } = decodeStored({ seriesId }, points, kind)
    count += lowerBound(at, to) - lowerBound(at, from)
  }
  return count
}

async function countInBlocks(sql: Sql, domainId: number, ranges: readonly SeriesRange[]): Promise<number> {
  const series = ranges.map(({ seriesId }) => seriesId)
  const before = Math.max(0, ...ranges.map(({ to }) => to))
  const times = timesBySeries(await fetchBlocksBefore(sql, domainId, series, before))
  return ranges.reduce((sum, range) => sum + countTimes(times.get(range.seriesId) ?? [], range), 0)
}

/** The times of all points of each series. */
function timesBySeries(segments: readonly StoredSegment[]): ReadonlyMap<number, readonly Float64Array[]> {
  const times = new Map<number, Float64Array[]>()
  for (const { seriesId, points } of segments.flatMap((segment) => partsOf(segment)))
    times.set(seriesId, [...(times.get(seriesId) ?? []), points.at])
  return times
}

function countTimes(times: readonly Float64Array[], { from, to }: SeriesRange): number {
  return times.reduce((sum, at) => sum + lowerBound(at, to) - lowerBound(at, from), 0)
}
