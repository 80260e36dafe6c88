import type { ChunkValues } from '../codec/chunk-values.ts'
import { lowerBound, charactersOf } from './point-columns.ts'
import { encodeChunk, generationAt, type ChunkOptions, type GeneratedColumns } from './chunk.ts'
import { mergePoints } from './merge-points.ts'
import { beginOfMonth, monthOf } from './chunk-partition.ts'
import { encodeSummaries, summarizeHours } from './summaries.ts'
import { shownText, summarize } from './summary.ts'
import type { ValueKind } from '../../records/values/value.ts'

/** A row of the table of chunks. */
export interface ChunkRow {
  readonly domainId: number
  readonly seriesId: number
  readonly kind: ValueKind
  /** The first and the last time in the chunk, in microseconds since 1970. */
  readonly t0: number
  readonly t1: number
  readonly span: Span
  /** The highest generation of the chunk's points. */
  readonly generation: number
  readonly count: number
  /** The last point of the chunk in readable form. */
  readonly last: LastPoint
  /** The summary of the chunk's points, as `encodeSummaries` writes it. */
  readonly summary: Uint8Array
  /** The summary of the whole chunk; null if `summary` is already that. */
  readonly total: Uint8Array | null
  readonly points: Uint8Array
}

/**
 * The reach of a chunk: 0 means until the end of its day (UTC), 1 until the end of its month. Readers search by it, so
 * that they need not search series with many points a month back. 2 means until the end of its day, with texts that are
 * too long for joining, even if the packed chunk is small.
 */
type Span = 0 | 1 | 2

interface LastPoint {
  readonly generation: number
  /** The value, with a boolean as 0 or 1; null if it is a long text. */
  readonly value: number | bigint | string | null
}

export interface SeriesOf {
  readonly domainId: number
  readonly seriesId: number
  readonly kind: ValueKind
}

export const DAY = 86_400_000_000
/** The length of the longest month in microseconds. */
export const MONTH = 31 * DAY

/**
 * The maximum number of points of a chunk: one point per second for four hours. A reader decodes a whole chunk even for
 * a single point, which takes half a millisecond. A reader of a year reads a row for each chunk (docs/decisions/0032).
 */
export const MOST_POINTS = 14_400
/**
 * A chunk with fewer points is small: it is joined with its neighbours when there are enough of them. The index of
 * small chunks in src/db/migrations/0012-blocks-and-chunks.sql repeats this number and the next one.
 */
export const SMALL = 600
/** A chunk with this many bytes is not small even if it has few points, because its texts are long. */
export const ENOUGH_BYTES = 32_768
/** The maximum number of characters of the texts of a chunk, unless it is a single text. */
export const MOST_CHARACTERS = 262_144

export interface Packing extends ChunkOptions {
  /** Lets a chunk continue after midnight if its days have few points. */
  readonly joinsDays?: boolean
  /** The beginnings of chunks that stay, in ascending order. No new chunk continues past one of them. */
  readonly stays?: readonly number[]
  /** Marks a small chunk as joined with its neighbours as far as possible. */
  readonly isJoined?: boolean
}

export function isSmall({ count, points }: Pick<ChunkRow, 'count' | 'points'>): boolean {
  return count < SMALL && points.length < ENOUGH_BYTES
}

/** Packs points of one series into chunks. The points may be in any order; a chunk holds each time once. */
export function packSeries(series: SeriesOf, points: GeneratedColumns, packing: Packing): ChunkRow[] {
  const merged = mergePoints(points)
  const rows: ChunkRow[] = []
  for (let start = 0; start < merged.at.length;) {
    const end = endOfChunk(merged, start, packing)
    rows.push(packPart(series, merged, { start, end }, packing))
    start = end
  }
  return rows
}

function endOfChunk(points: GeneratedColumns, start: number, { joinsDays, stays = [] }: Packing): number {
  const midnight = endOfDay(points, start)
  const isWhole =
    joinsDays === true && midnight - start < SMALL && charactersOf(points.values, start, midnight) < MOST_CHARACTERS
  return isWhole ? endOfSparseDays(points, start, midnight, stays) : endWithinDay(points, start, midnight)
}

/** Finds the end of a chunk of whole days with few points. It takes as many days as fit, all of one month. */
function endOfSparseDays(points: GeneratedColumns, start: number, midnight: number, stays: readonly number[]): number {
  const first = points.at[start] ?? 0
  const limit = Math.min(beginOfMonth(monthOf(first) + 1), stays.find((at) => at > first) ?? Infinity)
  let end = midnight
  while (end < points.at.length) {
    const next = endOfDay(points, end)
    const isLast =
      (points.at[next - 1] ?? 0) >= limit ||
      next - end >= SMALL ||
      next - start > MOST_POINTS ||
      charactersOf(points.values, start, next) > MOST_CHARACTERS
    if (isLast) break
    end = next
  }
  return end
}

/** Cuts a day into equal parts, so that a day with many points has no small part. */
function endWithinDay({ values }: GeneratedColumns, start: number, midnight: number): number {
  const most = start + Math.ceil((midnight - start) / Math.ceil((midnight - start) / MOST_POINTS))
  let end = start + 1
  let characters = lengthAt(values, start)
  while (end < most && (characters += lengthAt(values, end)) <= MOST_CHARACTERS) end++
  return end
}

/** Returns the index after the last point of the day on which the point at `start` lies. */
function endOfDay({ at }: GeneratedColumns, start: number): number {
  return lowerBound(at, (Math.floor((at[start] ?? 0) / DAY) + 1) * DAY, start)
}

function lengthAt(values: ChunkValues, index: number): number {
  return Array.isArray(values) ? (values[index]?.length ?? 0) : 0
}

function packPart(
  { domainId, seriesId, kind }: SeriesOf,
  { at, generation, values }: GeneratedColumns,
  { start, end }: { readonly start: number; readonly end: number },
  packing: Packing,
): ChunkRow {
  const isWhole = start === 0 && end === at.length
  const part: GeneratedColumns = isWhole
    ? { at, generation, values }
    : {
        at: at.subarray(start, end),
        generation: typeof generation === 'number' ? generation : generation.subarray(start, end),
        values: Array.isArray(values) ? values.slice(start, end) : values.subarray(start, end),
      }
  const [t0, t1] = [part.at[0] ?? 0, part.at.at(-1) ?? 0]
  const summaries = summarizeHours(part, kind)
  const reachesOn = Math.floor(t0 / DAY) !== Math.floor(t1 / DAY)
  const isFull = charactersOf(part.values) > MOST_CHARACTERS / 2
  return {
    domainId,
    seriesId,
    kind,
    t0,
    t1,
    span: reachesOn || (packing.isJoined === true && end - start < SMALL && !isFull) ? 1 : isFull ? 2 : 0,
    generation: highest(part),
    count: end - start,
    last: lastOf(part),
    summary: encodeSummaries(summaries),
    total: summaries.length === 1 ? null : encodeSummaries([summarize(part, kind)]),
    points: encodeChunk(part, kind, packing),
  }
}

function lastOf(part: GeneratedColumns): LastPoint {
  const index = part.at.length - 1
  const value = part.values[index] ?? 0
  return { generation: generationAt(part, index), value: typeof value === 'string' ? shownText(value) : value }
}

function highest(part: GeneratedColumns): number {
  let most = 0
  for (let index = 0; index < part.at.length; index++) most = Math.max(most, generationAt(part, index))
  return most
}
