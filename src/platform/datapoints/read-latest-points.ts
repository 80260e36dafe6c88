import { decodeChunk, generationAt } from '../../datapoints/chunk.ts'
import { cellAt, placeOf, type Before } from '../../datapoints/columns.ts'
import type { ValueKind } from '../../datapoints/value.ts'
import type { Database } from '../../db/sql.ts'
import { fetchLatestCandidates } from '../../store/datapoints/latest-points.ts'
import { holdHotPoints, type HotPoint } from '../../store/datapoints/points.ts'
import { writeAccess } from '../../store/domains.ts'
import type { SeriesReference } from './point-reader.ts'

interface Candidate extends Before {
  readonly generation: number
}

/** The last point before a time, of each series that has one. */
export async function readLatestPoints(
  database: Database,
  domainId: number,
  series: readonly SeriesReference[],
  before: number,
): Promise<ReadonlyMap<number, Before>> {
  if (series.length === 0) return new Map()
  const kinds = new Map(series.map(({ seriesId, kind }) => [seriesId, kind]))
  // Not `readDomain`: its snapshot would be older than the lock.
  const { chunks, hot } = await writeAccess(database, domainId, async (sql) => {
    await holdHotPoints(sql)
    return fetchLatestCandidates(sql, domainId, [...kinds.keys()], before)
  })
  const latest = new Map(hot.map((point) => [point.seriesId, hotPoint(point, kinds.get(point.seriesId))]))
  for (const { seriesId, points, t1 } of chunks) {
    // To unpack a chunk takes longer than all the rest: where a point is later than the chunk's end, nobody needs it.
    const isOver = (latest.get(seriesId)?.at ?? -Infinity) > t1
    if (!isOver) keepLater(latest, seriesId, lastOfChunk(points, kinds.get(seriesId), before))
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
  if (kind === undefined) return undefined
  const chunk = decodeChunk(bytes, kind)
  const place = placeOf(chunk.at, before) - 1
  const at = chunk.at[place]
  if (at === undefined) return undefined
  return { at, value: cellAt(chunk.values, place), generation: generationAt(chunk, place) }
}

function hotPoint({ at, generation, float8, whole, text }: HotPoint, kind: ValueKind | undefined): Candidate {
  if (kind === 'float') return { at, generation, value: float8 ?? 0 }
  if (kind === 'text') return { at, generation, value: text ?? '' }
  const value = BigInt(whole ?? 0)
  return { at, generation, value: kind === 'integer' ? value : value === 1n }
}
