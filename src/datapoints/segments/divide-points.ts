import type { GeneratedColumns } from '../chunks/chunk.ts'
import { lowerBound, charactersOf } from '../chunks/point-columns.ts'
import { beginOfMonth, monthOf } from '../chunks/chunk-partition.ts'
import { DAY, SMALL } from '../chunks/pack-series.ts'

// Decides which points of a series leave their block as chunks. A chunk takes some 350 bytes with its keys, however few
// points it has.

/** A series with this many points gets a chunk of its own. */
export const ENOUGH_POINTS = SMALL
/** Points with this many characters of text leave, too, because a block must fit into memory. */
const ENOUGH_CHARACTERS = 65_536
/** Old points leave as chunks only if there are this many per month, because a chunk ends with its month. */
const POINTS_OF_MONTH = 200

/** Points that are too few for a chunk become old when the first is this much before `until`, in microseconds. */
const OLD = 7 * DAY

/** The points of one series, divided by where they go. */
export interface Divided {
  readonly leaving?: GeneratedColumns
  /** Points that are old, and stay in lasting rows. */
  readonly lasting?: GeneratedColumns | undefined
  readonly young?: GeneratedColumns | undefined
}

export interface Leaving {
  /** Points before this time may be old. */
  readonly until: number
  /** The number of old points from which on they leave as chunks. */
  readonly leastOfChunk: number
}

/** Lets points leave at once if they are enough for a chunk. Otherwise they are young until they are old. */
export function divideByAge(points: GeneratedColumns, { until, leastOfChunk }: Leaving): Divided {
  if (points.at.length >= ENOUGH_POINTS || isLong(points)) return { leaving: points }
  const { old, young } = splitOld(points, until)
  return old !== undefined && old.at.length >= leastOfChunk ? { leaving: old, young } : { lasting: old, young }
}

/** Lets old points leave as chunks if these will not be small. Points of the last month wait until they are enough. */
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

/** Splits points at `until` if the first point is old. Otherwise all points are young. */
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

/** Returns the points from index `start` to index `end`. */
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

/** Returns the beginning of the day (UTC) of a time. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY) * DAY
}
