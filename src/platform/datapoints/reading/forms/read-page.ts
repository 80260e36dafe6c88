import { sliceColumns, joinColumns, cellAt, type Before, type Columns } from '../../../../datapoints/chunks/columns.ts'
import { HoldfastError } from '../../../../lib/errors.ts'
import type { PointOrder, PointReader, SeriesReference } from '../stored/point-reader.ts'
import { checkCount, READING_LIMITS } from '../reading-limits.ts'

export interface PageQuery {
  readonly from: number
  readonly to: number
  readonly order: PointOrder
  readonly first: number
  /** The cursor of a point, to continue after it. */
  readonly after?: string | null
}

export interface PointPage {
  /** The points in the requested order. */
  readonly points: readonly Before[]
  readonly hasNextPage: boolean
}

/**
 * One page of a series. A time occurs once, so a cursor needs nothing else. Points that arrive later appear on later
 * pages or not at all, and no point appears twice.
 */
export async function readPage(reader: PointReader, series: SeriesReference, query: PageQuery): Promise<PointPage> {
  const first = checkCount(query.first, 'first', 1, READING_LIMITS.page)
  const range = rangeAfter(query)
  const parts: Columns[] = []
  let count = 0
  if (range.from < range.to) {
    for await (const { columns } of reader.read([series], { ...range, order: query.order, limit: first + 1 })) {
      parts.push(columns)
      count += columns.at.length
      if (count > first) break
    }
  }
  return { points: pointsOf(parts, query.order, first), hasNextPage: count > first }
}

function rangeAfter({ from, to, order, after }: PageQuery): { readonly from: number; readonly to: number } {
  if (after === null || after === undefined) return { from, to }
  const at = timeOfCursor(after)
  return order === 'oldest first' ? { from: Math.max(from, at + 1), to } : { from, to: Math.min(to, at) }
}

function pointsOf(parts: readonly Columns[], order: PointOrder, first: number): Before[] {
  if (order === 'oldest first') return rows(firstOf(joinColumns(parts), 0, first))
  const all = joinColumns(parts.toReversed())
  const start = Math.max(0, (all?.at.length ?? 0) - first)
  return rows(firstOf(all, start, start + first)).toReversed()
}

function firstOf(columns: Columns | undefined, start: number, end: number): Columns | undefined {
  return columns === undefined ? undefined : sliceColumns(columns, start, end)
}

function rows(columns: Columns | undefined): Before[] {
  if (columns === undefined) return []
  return Array.from(columns.at, (at, index) => ({ at, value: cellAt(columns.values, index) }))
}

const CURSOR = /^at:(-?\d{1,16})$/

export function cursorOfPoint(at: number): string {
  return Buffer.from(`at:${at}`).toString('base64url')
}

function timeOfCursor(cursor: string): number {
  const at = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (at === undefined) {
    throw new HoldfastError('BAD_USER_INPUT', '`after` is not a cursor that this list gave out')
  }
  return Number(at)
}
