import { generationAt, type GeneratedColumns } from '../chunks/chunk.ts'
import { joinGenerated, mergePoints } from '../chunks/merge-points.ts'
import { DAY, packSeries, SMALL, type ChunkRow, type SeriesOf } from '../chunks/pack-series.ts'
import type { SegmentPart } from './point-runs.ts'
import { encodeSegment, type SegmentRow } from './segment.ts'

/** This many neighbouring series share a block. */
export const SERIES_OF_BLOCK = 256

export function blockOf(seriesId: number): number {
  return Math.floor(seriesId / SERIES_OF_BLOCK)
}

/** A row of the table of blocks. */
export interface BlockRow extends SegmentRow {
  readonly domainId: number
  readonly block: number
  /** The highest generation of its points. */
  readonly generation: number
}

/** What points are folded into: those of series with enough are chunks, all others are in a block with their neighbours. */
export interface BlocksAndChunks {
  readonly chunks: readonly ChunkRow[]
  readonly blocks: readonly BlockRow[]
}

/** Enough points for a chunk of their own. */
export const ENOUGH_POINTS = SMALL
/** Enough characters, since a block must fit into memory. */
const ENOUGH_CHARACTERS = 65_536
/** The most characters of texts in one row of a block, of which many are in memory together. */
const MOST_CHARACTERS = 1_048_576

/**
 * Too few points for a chunk stay together for so long: a chunk of a day of hourly points, with its keys in all indexes, takes
 * ten times the room of the points, and most of it for ever, since a B-tree keeps the pages of what is joined later.
 */
const LONGEST = 7 * DAY

/**
 * Folds points of one domain, of which a series may have several parts, into blocks: those that are hot, or those of rows of
 * a block. What is before `until` leaves as chunks where a series has points of a week before it.
 */
export function foldIntoBlocks(domainId: number, parts: readonly SegmentPart[], until = -Infinity): BlocksAndChunks {
  const series = [...Map.groupBy(parts, ({ seriesId }) => seriesId)].sort(([a], [b]) => a - b)
  const chunks: ChunkRow[] = []
  const rest: SegmentPart[] = []
  for (const [seriesId, own] of series) {
    const [{ kind } = { kind: 'float' as const }] = own
    const points = mergePoints(joinGenerated(own.map((one) => one.points)))
    const [leaving, staying] = isEnough(points) ? [points, null] : splitOld(points, until)
    if (leaving !== null) chunks.push(...packLeaving({ domainId, seriesId, kind }, leaving))
    if (staying !== null) rest.push({ seriesId, kind, points: staying })
  }
  const blocks = [...Map.groupBy(rest, ({ seriesId }) => blockOf(seriesId))].map(([block, own]) => {
    const tooLong = findTooLong(own)
    for (const { points, ...one } of tooLong) chunks.push(...packLeaving({ domainId, ...one }, points))
    return rowOf(domainId, block, tooLong.size === 0 ? own : own.filter((one) => !tooLong.has(one)))
  })
  return { chunks, blocks }
}

function rowOf(domainId: number, block: number, parts: readonly SegmentPart[]): BlockRow {
  const generation = parts.reduce((most, { points }) => Math.max(most, highest(points)), 0)
  return { ...encodeSegment(parts), domainId, block, generation }
}

/** The series of a block with the longest texts, as many as must leave so that the others fit into a row. */
function findTooLong(parts: readonly SegmentPart[]): ReadonlySet<SegmentPart> {
  const texts = parts.map((part) => ({ part, characters: charactersOf(part.points) }))
  let sum = texts.reduce((all, { characters }) => all + characters, 0)
  const tooLong = new Set<SegmentPart>()
  if (sum <= MOST_CHARACTERS) return tooLong
  for (const { part, characters } of texts.toSorted((a, b) => b.characters - a.characters)) {
    if (sum <= MOST_CHARACTERS) break
    tooLong.add(part)
    sum -= characters
  }
  return tooLong
}

/** Some points a day are enough to be taken for all of their days. */
const POINTS_OF_DAY = 4

/**
 * Joins the days of points that are all that there is of them, as far as one can see. Single points that came late for several
 * days are joined later, with what they lie over.
 */
function packLeaving(series: SeriesOf, points: GeneratedColumns): ChunkRow[] {
  const { at } = points
  const days = (dayOf(at.at(-1) ?? 0) - dayOf(at[0] ?? 0)) / DAY + 1
  return packSeries(series, points, { compress: true, joinsDays: at.length >= Math.min(SMALL, days * POINTS_OF_DAY) })
}

function isEnough(points: GeneratedColumns): boolean {
  return points.at.length >= ENOUGH_POINTS || charactersOf(points) >= ENOUGH_CHARACTERS
}

function charactersOf({ values }: GeneratedColumns): number {
  return Array.isArray(values) ? values.reduce((sum, text) => sum + text.length, 0) : 0
}

/** The points before a time, where the first of them is old, and all others. */
function splitOld(
  points: GeneratedColumns,
  until: number,
): readonly [GeneratedColumns | null, GeneratedColumns | null] {
  const { at } = points
  if ((at[0] ?? 0) >= until - LONGEST) return [null, points]
  const place = at.findIndex((time) => time >= until)
  if (place === -1) return [points, null]
  return [slicePoints(points, 0, place), slicePoints(points, place, at.length)]
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

function highest(points: GeneratedColumns): number {
  let most = 0
  for (let index = 0; index < points.at.length; index++) most = Math.max(most, generationAt(points, index))
  return most
}

/** The beginning of the day (UTC) of a time. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY) * DAY
}
