import { generationAt, type GeneratedColumns } from '../chunks/chunk.ts'
import { joinGenerated, mergePoints } from '../chunks/merge-points.ts'
import { charactersOf } from '../chunks/point-columns.ts'
import { DAY, packSeries, SMALL, type ChunkRow, type SeriesOf } from '../chunks/pack-series.ts'
import { dayOf, divideByAge, divideLasting, ENOUGH_POINTS, type Divided, type Leaving } from './divide-points.ts'
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
  /** The highest generation of the row's points. */
  readonly generation: number
}

/** The result of folding: chunks for series with enough points, and a block with their neighbours for all others. */
export interface BlocksAndChunks {
  readonly chunks: readonly ChunkRow[]
  readonly blocks: readonly BlockRow[]
  /** Lasting rows, which have old points. */
  readonly lasting: readonly BlockRow[]
}

/** The maximum number of characters of texts in one row of a block. Many rows are in memory at the same time. */
export const MOST_CHARACTERS = 1_048_576

const NOTHING_IS_OLD: Leaving = { until: -Infinity, leastOfChunk: ENOUGH_POINTS }

/** Folds points of one domain. A series may have several parts, from hot segments or from rows of a block. */
export function foldIntoBlocks(
  domainId: number,
  parts: readonly SegmentPart[],
  leaving: Leaving = NOTHING_IS_OLD,
): BlocksAndChunks {
  return fold(domainId, parts, (points) => divideByAge(points, leaving))
}

/** Folds points of lasting rows. */
export function foldLasting(domainId: number, parts: readonly SegmentPart[]): BlocksAndChunks {
  return fold(domainId, parts, divideLasting)
}

function fold(
  domainId: number,
  parts: readonly SegmentPart[],
  divide: (points: GeneratedColumns) => Divided,
): BlocksAndChunks {
  const series = [...Map.groupBy(parts, ({ seriesId }) => seriesId)].sort(([a], [b]) => a - b)
  const chunks: ChunkRow[] = []
  const [old, staying]: [SegmentPart[], SegmentPart[]] = [[], []]
  for (const [seriesId, own] of series) {
    const [{ kind } = { kind: 'float' as const }] = own
    const { leaving, lasting, young } = divide(mergePoints(joinGenerated(own.map((one) => one.points))))
    if (leaving !== undefined) chunks.push(...packLeaving({ domainId, seriesId, kind }, leaving))
    if (lasting !== undefined) old.push({ seriesId, kind, points: lasting })
    if (young !== undefined) staying.push({ seriesId, kind, points: young })
  }
  return { blocks: rowsOf(domainId, staying, chunks), lasting: rowsOf(domainId, old, chunks), chunks }
}

/** Makes a row for each block. Texts that do not fit into the row become chunks. */
function rowsOf(domainId: number, parts: readonly SegmentPart[], chunks: ChunkRow[]): BlockRow[] {
  return [...Map.groupBy(parts, ({ seriesId }) => blockOf(seriesId))].map(([block, own]) => {
    const tooLong = findTooLong(own)
    for (const { points, ...one } of tooLong) chunks.push(...packLeaving({ domainId, ...one }, points))
    return rowOf(domainId, block, tooLong.size === 0 ? own : own.filter((one) => !tooLong.has(one)))
  })
}

function rowOf(domainId: number, block: number, parts: readonly SegmentPart[]): BlockRow {
  const generation = parts.reduce((most, { points }) => Math.max(most, highest(points)), 0)
  return { ...encodeSegment(parts), domainId, block, generation }
}

/** Finds the series that must leave a block so that the others fit into a row: those with the longest texts. */
function findTooLong(parts: readonly SegmentPart[]): ReadonlySet<SegmentPart> {
  const texts = parts.map((part) => ({ part, characters: charactersOf(part.points.values) }))
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

/** With this many points a day, the points are assumed to be all points of their days. */
const POINTS_OF_DAY = 4

/**
 * Joins the days of the points if the points seem to be complete. A few points that came late for several days are
 * joined later, together with the chunks that they overlap.
 */
function packLeaving(series: SeriesOf, points: GeneratedColumns): ChunkRow[] {
  const { at } = points
  const days = (dayOf(at.at(-1) ?? 0) - dayOf(at[0] ?? 0)) / DAY + 1
  return packSeries(series, points, { compress: true, joinsDays: at.length >= Math.min(SMALL, days * POINTS_OF_DAY) })
}

function highest(points: GeneratedColumns): number {
  let most = 0
  for (let index = 0; index < points.at.length; index++) most = Math.max(most, generationAt(points, index))
  return most
}
