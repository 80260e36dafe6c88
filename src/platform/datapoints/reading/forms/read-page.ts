import {
  sliceColumns,
  joinColumns,
  cellAt,
  type Before,
  type Columns,
  charactersOf,
} from '../../../../datapoints/chunks/point-columns.ts'
import { breather } from '../../../../db/breather.ts'
import { HoldfastError } from '../../../../lib/errors.ts'
import { AnswerBudget } from '../../../answer-budget.ts'
import type { PointOrder, PointReader, SeriesReference } from '../stored/point-reader.ts'
import { checkCount, READING_LIMITS } from '../reading-limits.ts'

interface PageQuery {
  readonly from: number
  readonly to: number
  readonly order: PointOrder
  readonly first: number
  /** The cursor of a point. The page begins after that point. */
  readonly after?: string | null
}

interface PointPage {
  /** The points in the requested order. */
  readonly points: readonly Before[]
  readonly hasNextPage: boolean
}

/**
 * One page of a series. A cursor only needs a time, because a time occurs once. Points that arrive later appear on
 * later pages or not at all, and no point appears twice.
 */
export async function readPage(
  reader: PointReader,
  series: SeriesReference,
  query: PageQuery,
  budget = new AnswerBudget(),
): Promise<PointPage> {
  const first = checkCount(query.first, 'first', 1, READING_LIMITS.page)
  const range = rangeAfter(query)
  const breathe = breather()
  const parts: Columns[] = []
  let count = 0
  if (range.from < range.to) {
    for await (const { columns } of reader.read([series], { ...range, order: query.order, limit: first + 1 })) {
      const needed = firstOf(columns, query.order, first + 1 - count)
      budget.take(charactersOf(needed.values))
      parts.push(needed)
      count += needed.at.length
      if (count > first) break
    }
  }
  await breathe()
  return { points: pointsOf(parts, query.order, first), hasNextPage: count > first }
}

function rangeAfter({ from, to, order, after }: PageQuery): { readonly from: number; readonly to: number } {
  if (after === null || after === undefined) return { from, to }
  const at = timeOfCursor(after)
  return order === 'oldest first' ? { from: Math.max(from, at + 1), to } : { from, to: Math.min(to, at) }
}

function pointsOf(parts: readonly Columns[], order: PointOrder, first: number): Before[] {
  const inTime = order === 'oldest first' ? parts : parts.toReversed()
  const all = joinColumns(inTime)
  if (all === undefined) return []
  const rows = rowsOf(firstOf(all, order, first))
  return order === 'oldest first' ? rows : rows.toReversed()
}

/** The first points in the requested order. The result is in ascending order of time. */
function firstOf(columns: Columns, order: PointOrder, most: number): Columns {
  const { length } = columns.at
  return order === 'oldest first'
    ? sliceColumns(columns, 0, most)
    : sliceColumns(columns, Math.max(0, length - most), length)
}

function rowsOf({ at, values }: Columns): Before[] {
  return Array.from(at, (time, index) => ({ at: time, value: cellAt(values, index) }))
}

const CURSOR = /^at:(-?\d{1,16})$/

export function cursorOfPoint(at: number): string {
  return Buffer.from(`at:${at}`).toString('base64url')
}

function timeOfCursor(cursor: string): number {
  const at = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (at === undefined) {
    throw new HoldfastError('BAD_USER_INPUT', '`after` is not a cursor of this list')
  }
  return Number(at)
}
