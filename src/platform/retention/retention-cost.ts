import { lowerBound } from '../../datapoints/chunks/columns.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { LOCK_OF_HOT_POINTS, ORDER_OF_INDEX, type StoredSegment } from '../../store/datapoints/points/points.ts'
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
  /** The number of points that are kept now and would not be any more. */
  readonly datapoints: number
  /** Whether each point counts once. Otherwise one that was sent again may count again. */
  readonly isCounted: boolean
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
    { lock: LOCK_OF_HOT_POINTS, afterwards: ORDER_OF_INDEX },
    async (sql) => {
      const current = new Retentions(await fetchKept(sql, domainId))
      const changed = change(current)
      const segments = await fetchHotBefore(sql, domainId, changed.lastLimit(now))
      return { current, changed, hot: timesOf(segments) }
    },
    async (sql, { current, changed, hot }) => {
      let [datapoints, packed, before] = [0, 0, 0]
      for await (const lost of lostRanges(sql, domainId, current, changed, now)) {
        packed += await countChunkPoints(sql, domainId, lost)
        const others = [hot, await straddlingTimes(sql, domainId, lost), await blockTimes(sql, domainId, lost)]
        for (const range of lost) datapoints += countTimes(others, range)
        before = Math.max(before, ...lost.map(({ to }) => to))
      }
      return { current, datapoints: datapoints + packed, isCounted: packed === 0, before }
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

type Times = ReadonlyMap<number, readonly Float64Array[]>

/** The times in chunks that reach over the end of a range. */
async function straddlingTimes(sql: Sql, domainId: number, ranges: readonly SeriesRange[]): Promise<Times> {
  const chunks = await fetchStraddlingChunks(sql, domainId, ranges)
  return bySeries(chunks.map(({ seriesId, kind, points }) => [seriesId, decodeStored({ seriesId }, points, kind).at]))
}

async function blockTimes(sql: Sql, domainId: number, ranges: readonly SeriesRange[]): Promise<Times> {
  const series = ranges.map(({ seriesId }) => seriesId)
  const before = Math.max(0, ...ranges.map(({ to }) => to))
  return timesOf(await fetchBlocksBefore(sql, domainId, series, before))
}

/** The times of all points of each series. */
function timesOf(segments: readonly StoredSegment[]): Times {
  return bySeries(segments.flatMap((segment) => partsOf(segment)).map(({ seriesId, points }) => [seriesId, points.at]))
}

function bySeries(parts: readonly (readonly [seriesId: number, at: Float64Array])[]): Times {
  const times = new Map<number, Float64Array[]>()
  for (const [seriesId, at] of parts) {
    const known = times.get(seriesId)
    if (known === undefined) times.set(seriesId, [at])
    else known.push(at)
  }
  return times
}

/** Counts each time once, however often it was sent. */
function countTimes(times: readonly Times[], { seriesId, from, to }: SeriesRange): number {
  const lost = times
    .flatMap((one) => one.get(seriesId) ?? [])
    .map((at) => at.subarray(lowerBound(at, from), lowerBound(at, to)))
    .filter(({ length }) => length > 0)
  const [first, ...others] = lost
  if (others.length === 0) return first?.length ?? 0
  return new Set(lost.flatMap((at) => [...at])).size
}
