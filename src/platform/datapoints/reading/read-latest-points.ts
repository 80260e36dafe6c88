import { decodeChunk, generationAt, type GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { cellAt, lowerBound, type Before } from '../../../datapoints/chunks/columns.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'
import type { Database } from '../../../db/sql.ts'
import {
  fetchLatestOfChunks,
  fetchNewestSegments,
  NEWEST_ROWS,
  type LatestCandidate,
  type NewestSegment,
} from '../../../store/datapoints/latest-points.ts'
import {
  fetchBlockSegments,
  fetchVisibleSeries,
  holdHotPoints,
  preferOrderOfIndex,
  type StoredSegment,
} from '../../../store/datapoints/points.ts'
import { blockOf } from '../../../datapoints/segments/gather-points.ts'
import { writeAccess } from '../../../store/domains.ts'
import type { SeriesReference } from './point-reader.ts'
import { segmentPoints } from './segment-points.ts'

interface Candidate extends Before {
  readonly generation: number
}

/** The last point before a time, for each series that has one. */
export async function readLatestPoints(
  database: Database,
  domainId: number,
  series: readonly SeriesReference[],
  before: number,
): Promise<ReadonlyMap<number, Before>> {
  if (series.length === 0) return new Map()
  const ids = series.map(({ seriesId }) => seriesId)
  // `readDomain` is not used, because its snapshot would be older than the lock. Points go from hot segments to blocks and
  // from there to chunks, so they are looked for in this order, and none is missed.
  return writeAccess(database, domainId, async (sql) => {
    await holdHotPoints(sql)
    const visible = await fetchVisibleSeries(sql, domainId, ids)
    const newest = await fetchNewestSegments(sql, domainId, ids, before)
    const others = new Map<number, Candidate>()
    keepLatest(others, newest, visible, before)
    const rest = unsettled(others, newest, [...visible])
    if (rest.length > 0)
      keepLatest(others, await fetchBlockSegments(sql, domainId, rest, before), new Set(rest), before)
    await preferOrderOfIndex(sql)
    return latestOf(series, await fetchLatestOfChunks(sql, domainId, ids, before), before, others)
  })
}

function keepLatest(
  latest: Map<number, Candidate>,
  segments: readonly StoredSegment[],
  wanted: ReadonlySet<number>,
  before: number,
): void {
  for (const [seriesId, parts] of segmentPoints(segments, wanted))
    for (const points of parts) keepLater(latest, seriesId, lastOf(points, before))
}

/** The series whose last point may be in an older row of their block than those that were looked at. */
function unsettled(
  latest: ReadonlyMap<number, Candidate>,
  newest: readonly NewestSegment[],
  series: readonly number[],
): number[] {
  const rows = Map.groupBy(newest, ({ block }) => block)
  return series.filter((seriesId) => {
    const own = rows.get(blockOf(seriesId)) ?? []
    if (own.length < NEWEST_ROWS) return false
    const oldest = own.reduce((least, { t1 }) => Math.min(least, t1 ?? Infinity), Infinity)
    return (latest.get(seriesId)?.at ?? -Infinity) <= oldest
  })
}

/** The latest of these candidates, and of `others` by the number of the series. */
export function latestOf(
  series: readonly SeriesReference[],
  candidates: readonly LatestCandidate[],
  before: number,
  others: Iterable<readonly [number, Candidate | undefined]>,
): ReadonlyMap<number, Before> {
  const kinds = new Map(series.map(({ seriesId, kind }) => [seriesId, kind]))
  const latest = new Map<number, Candidate>()
  for (const [seriesId, candidate] of others) keepLater(latest, seriesId, candidate)
  for (const one of candidates)
    if (one.points === null) keepLater(latest, one.seriesId, clearPoint(one, kinds.get(one.seriesId)))
  for (const { seriesId, points, at } of candidates) {
    // A chunk is only decoded where no point is later than its end, because decoding takes longer than everything
    // else.
    if (points === null || (latest.get(seriesId)?.at ?? -Infinity) > at) continue
    keepLater(latest, seriesId, lastOfChunk(points, kinds.get(seriesId), before))
  }
  return new Map([...latest].map(([seriesId, { at, value }]) => [seriesId, { at, value }]))
}

function keepLater(latest: Map<number, Candidate>, seriesId: number, candidate: Candidate | undefined): void {
  if (candidate === undefined) return
  const known = latest.get(seriesId)
  const isEarlier =
    known !== undefined &&
    (candidate.at < known.at || (candidate.at === known.at && candidate.generation < known.generation))
  if (!isEarlier) latest.set(seriesId, candidate)
}

function lastOfChunk(bytes: Uint8Array, kind: ValueKind | undefined, before: number): Candidate | undefined {
  return kind === undefined ? undefined : lastOf(decodeChunk(bytes, kind), before)
}

/** The last point before a time. The times must ascend. */
export function lastOf(points: GeneratedColumns, before: number): Candidate | undefined {
  const index = lowerBound(points.at, before) - 1
  const at = points.at[index]
  if (at === undefined) return undefined
  return { at, value: cellAt(points.values, index), generation: generationAt(points, index) }
}

function clearPoint(point: LatestCandidate, kind: ValueKind | undefined): Candidate {
  const { at, generation, float8, whole, text } = point
  if (kind === 'float') return { at, generation, value: float8 ?? 0 }
  if (kind === 'text') return { at, generation, value: text ?? '' }
  const value = BigInt(whole ?? 0)
  return { at, generation, value: kind === 'integer' ? value : value === 1n }
}
