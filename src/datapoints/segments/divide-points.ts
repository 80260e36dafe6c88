import type { GeneratedColumns } from '../chunks/chunk.ts'
import { lowerBound, charactersOf } from '../chunks/columns.ts'
import { beginOfMonth, monthOf } from '../chunks/chunk-partition.ts'
import { DAY, SMALL } from '../chunks/pack-series.ts'

// Which points of a series leave their block as chunks. A chunk takes some 350 bytes with its keys, whatever is in it.

/** Enough points for a chunk of their own. */
export const ENOUGH_POINTS = SMALL
/** Enough characters, since a block must fit into memory. */
const ENOUGH_CHARACTERS = 65_536
/** A chunk ends with its month, so old points leave as chunks only where they come to as many a month. */
const POINTS_OF_MONTH = 200

/** Too few points for a chunk of their own are old when the first of them is. */
const OLD = 7 * DAY

/** The points of one series, divided. */
export interface Divided {
  readonly leaving?: GeneratedColumns
  /** Points that are old, and stay in rows that last. */
  readonly lasting?: GeneratedColumns | undefined
  readonly young?: GeneratedColumns | undefined
}

export interface Leaving {
  /** Points before this time may be old. */
  readonly until: number
  /** As many old points leave as chunks. */
  readonly leastOfChunk: number
}

/** Enough points leave at once. All others are young until they are old. */
export function divideByAge(points: GeneratedColumns, { until, leastOfChunk }: Leaving): Divided {
  if (points.at.length >= ENOUGH_POINTS || isLong(points)) return { leaving: points }
  const { old, young } = splitOld(points, until)
  return old !== undefined && old.at.length >= leastOfChunk ? { leaving: old, young } : { lasting: old, young }
}

/** Points that are old leave as chunks where these will not be small, and those of the last month with the rest of it. */
export function divideLasting(points: GeneratedColumns): Divided {
  const { at } = points
  if (isLong(points)) return { leaving: points }
  const last = lowerBound(at, beginOfMonth(monthOf(at.at(-1) ?? 0)))
  const end = at.length - last >= ENOUGH_POINTS ? at.length : last
  const months = monthOf(at[end - 1] ?? 0) - monthOf(at[0] ?? 0) + 1
  if (end < Math.max(ENOUGH_POINTS, months * POINTS_OF_MONTH)) return { lasting: points }
  const lasting = end === at.length ? undefined : slicePoints(points, end, at.length)
  return { leaving: slicePoints(points, 0, end), lasting }
}

function isLong(points: GeneratedColumns): boolean {
  return charactersOf(points.values) >= ENOUGH_CHARACTERS
}

/** The points before a time, where the first of them is old, and all others. */
function splitOld(
  points: GeneratedColumns,
  until: number,
): { readonly old?: GeneratedColumns; readonly young?: GeneratedColumns } {
  const { at } = points
  if ((at[0] ?? 0) >= until - OLD) return { young: points }
  const place = lowerBound(at, until)
  if (place === at.length) return { old: points }
  return { old: slicePoints(points, 0, place), young: slicePoints(points, place, at.length) }
}

/** The points from one index up to another one. */
export function slicePoints(
  { at, generation, values }: GeneratedColumns,
  start: number,
  end: number,
): GeneratedColumns {
  return {
    at: at.subarray(start, end),
    generation: typeof generation === 'number' ? generation : generation.subarray(start, end),
    values: Array.isArray(values) ? values.slice(start, end) : values.subarray(start, end),
  }
}

/** The beginning of the day (UTC) of a time. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY) * DAY
}
