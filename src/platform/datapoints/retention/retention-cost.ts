import { hasErased } from '../../../datapoints/chunks/erased.ts'
import { fromOn, lowerBound } from '../../../datapoints/chunks/point-columns.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { fetchBlockValues } from '../../../store/datapoints/points/stored-values.ts'
import { LOCK_OF_HOT_POINTS, type StoredSegment } from '../../../store/datapoints/points/points.ts'
import {
  beginBlocksBefore,
  fetchHotBefore,
  fetchKept,
  fetchSeriesAmong,
  fetchSeriesBetween,
  readChunksOfRanges,
  type ChunkOfRange,
  type RangeOfCharacteristic,
  type SeriesOfCharacteristic,
} from '../../../store/datapoints/retention.ts'
import { readDomainFrom } from '../../../store/domains.ts'
import { breather } from '../../../db/breather.ts'
import { decodeStoredDirectory } from '../damaged-points.ts'
import type { OtherValues } from '../parts/other-series.ts'
import { packedPoints, timesOf } from '../parts/points-of-parts.ts'
import { readBlocks, storedParts, type StoredPart } from '../parts/stored-parts.ts'
import { segmentPoints } from '../reading/stored/segment-points.ts'
import { Retentions } from './retentions.ts'

/** The cost of a change of the retention. */
export interface RetentionCost {
  /** The present retentions. */
  readonly current: Retentions
  /** The number of points that the change deletes. A point that was sent again counts once. */
  readonly datapoints: number
  /** All of these points are older than this, in microseconds since 1970. */
  readonly before: number
}

/** Computes the cost in one snapshot, without blocking writers. */
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
      const ranges = lostRanges(current, change(current), now)
      const last = ranges.reduce((end, { to }) => Math.max(end, to), 0)
      return { current, ranges, last, segments: await fetchHotBefore(sql, domainId, last) }
    },
    async (sql, { current, ranges, last, segments }) => {
      if (ranges.every(({ from, to }) => from >= to)) return { current, datapoints: 0, before: 0 }
      const hot = await hotPointsOf(sql, domainId, segments)
      await beginBlocksBefore(sql, domainId, last)
      const blocks = readBlocks(fetchBlockValues(sql), (series) => fetchSeriesBetween(sql, domainId, series))
      const parts = storedParts(readChunksOfRanges(sql, domainId, ranges), { hot, blocks })
      return { current, ...(await countLost(sql, domainId, ranges, parts)) }
    },
  )
}

/** The range that each characteristic with its own retention would lose, and the range that all others would lose. */
function lostRanges(current: Retentions, changed: Retentions, now: number): RangeOfCharacteristic[] {
  const named = new Set([...current.named, ...changed.named])
  return [...named].map((characteristicUuid) => {
    const earliest = (kept: Retentions) =>
      characteristicUuid === null ? kept.earliestOfOthers(now) : kept.earliestOf(characteristicUuid, now)
    return { characteristicUuid, from: earliest(current), to: earliest(changed) }
  })
}

/** The points of hot segments. The segments were read already, so this needs no lock. */
async function hotPointsOf(
  sql: Sql,
  domainId: number,
  segments: readonly StoredSegment[],
): Promise<OtherValues<SeriesOfCharacteristic>> {
  const series = new Set(segments.flatMap((segment) => [...decodeStoredDirectory(segment, 'that arrived').series]))
  return { origins: await fetchSeriesAmong(sql, domainId, [...series]), points: await segmentPoints(segments, series) }
}

type Part = StoredPart<SeriesOfCharacteristic, ChunkOfRange>

/**
 * Counts the points in the ranges. If nothing else overlaps a chunk, its count is enough. Times are only decoded if
 * something overlaps it, or if the range ends in it.
 */
async function countLost(
  sql: Sql,
  domainId: number,
  ranges: readonly RangeOfCharacteristic[],
  stored: AsyncIterable<readonly Part[]>,
): Promise<Pick<RetentionCost, 'datapoints' | 'before'>> {
  const byCharacteristic = new Map(ranges.map((range) => [range.characteristicUuid, range]))
  const giveWay = breather()
  let [datapoints, before] = [0, 0]
  const add = (count: number, { to }: RangeOfCharacteristic): void => {
    datapoints += count
    if (count > 0) before = Math.max(before, to)
  }
  for await (const parts of stored) {
    await giveWay()
    const open = parts.flatMap((part) => {
      const range = byCharacteristic.get(part.origin.characteristicUuid) ?? byCharacteristic.get(null)
      if (range === undefined || range.from >= range.to) return []
      const count = countOfAlone(part, range)
      add(count ?? 0, range)
      return count === null ? [{ ...part, range }] : []
    })
    const packed = packedPoints(sql, domainId, open)
    for (const part of open) {
      for await (const at of timesOf(part, packed)) {
        add(countWithin(at, part.range), part.range)
        await giveWay()
      }
    }
  }
  return { datapoints, before }
}

/** Null if times must be decoded. */
function countOfAlone({ origin, chunks, others }: Part, range: RangeOfCharacteristic): number | null {
  if (hasErased(origin.erased)) return null
  const [chunk, overlapping] = chunks
  if (chunk === undefined) return countWithin(others?.at ?? new Float64Array(), range)
  const isAlone = overlapping === undefined && others === null
  return isAlone && chunk.t0 >= range.from && chunk.t1 < range.to ? chunk.count : null
}

function countWithin(at: Float64Array, { from, to }: RangeOfCharacteristic): number {
  return lowerBound(fromOn(at, from), to)
}
