import type { ChunkValues } from './chunk-values.ts'
import { encodeChunk, generationAt, type ChunkOptions, type GeneratedColumns } from './chunk.ts'
import { mergePoints } from './merge-points.ts'
import { shownText } from './summary.ts'
import type { ValueKind } from '../rules/value.ts'

/** A row of the table of chunks. */
export interface ChunkRow {
  readonly domainId: number
  readonly seriesId: number
  readonly kind: ValueKind
  /** The first and the last time in the chunk, in microseconds since 1970. Both are on the same day (UTC). */
  readonly t0: number
  readonly t1: number
  /** The highest generation of its points. */
  readonly generation: number
  readonly count: number
  /** The last point of the chunk in readable form. */
  readonly last: LastPoint
  readonly points: Uint8Array
}

export interface LastPoint {
  readonly generation: number
  /** The value, with a boolean as 0 or 1; null where it is a long text. */
  readonly value: number | bigint | string | null
}

export interface SeriesOf {
  readonly domainId: number
  readonly seriesId: number
  readonly kind: ValueKind
}

export const DAY = 86_400_000_000

/** The most points of a chunk. A reader always decodes a whole chunk, even for a single point. */
const MOST_POINTS = 1_440
const MOST_CHARACTERS = 262_144

/** Packs points of one series, given in any order, into chunks that hold each time once. */
export function packSeries(series: SeriesOf, points: GeneratedColumns, options: ChunkOptions): ChunkRow[] {
  const merged = mergePoints(points)
  const rows: ChunkRow[] = []
  for (let start = 0; start < merged.at.length;) {
    const end = endOfChunk(merged, start)
    rows.push(packPart(series, merged, { start, end }, options))
    start = end
  }
  return rows
}

function endOfChunk({ at, values }: GeneratedColumns, start: number): number {
  const midnight = (Math.floor((at[start] ?? 0) / DAY) + 1) * DAY
  const most = Math.min(at.length, start + MOST_POINTS)
  let end = start + 1
  let characters = lengthAt(values, start)
  while (end < most && (at[end] ?? 0) < midnight && (characters += lengthAt(values, end)) <= MOST_CHARACTERS) end++
  return end
}

function lengthAt(values: ChunkValues, index: number): number {
  return Array.isArray(values) ? (values[index]?.length ?? 0) : 0
}

function packPart(
  { domainId, seriesId, kind }: SeriesOf,
  { at, generation, values }: GeneratedColumns,
  { start, end }: { readonly start: number; readonly end: number },
  options: ChunkOptions,
): ChunkRow {
  const isWhole = start === 0 && end === at.length
  const part: GeneratedColumns = isWhole
    ? { at, generation, values }
    : {
        at: at.subarray(start, end),
        generation: typeof generation === 'number' ? generation : generation.subarray(start, end),
        values: Array.isArray(values) ? values.slice(start, end) : values.subarray(start, end),
      }
  return {
    domainId,
    seriesId,
    kind,
    t0: part.at[0] ?? 0,
    t1: part.at.at(-1) ?? 0,
    generation: highest(part),
    count: end - start,
    last: lastOf(part),
    points: encodeChunk(part, kind, options),
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
