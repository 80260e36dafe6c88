import { jsonb } from '../db/columns.ts'
import type { RowOf } from '../db/row-shape.ts'
import { HoldfastError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import { instant, microseconds } from './sql-times.ts'

// A list continues after a place and not after a row, which may have been renamed, moved or deleted by then. So a
// cursor contains the place, which its page has shown anyway.

/** The list and its order. A cursor is only valid for the same list and order. */
export interface ListOrder {
  readonly list: string
  readonly by: OrderColumn
  readonly isDescending: boolean
}

/** The column that orders the rows; rows with equal values are ordered by their uuid. */
export type OrderColumn = 'name' | 'key' | 'begins_at' | 'created_at' | 'updated_at' | 'last_at'

type Place = readonly [value: string | number, uuid: string]

/** An item of a list, and the cursor of its place. */
export interface Placed<Item> {
  readonly item: Item
  readonly cursor: string
}

interface Kind {
  /** SQL for the value of a column in a cursor. */
  read(column: string): string
  /** SQL that converts a parameter to the type of the column. */
  write(parameter: string): string
  holds(value: unknown): value is string | number
}

const TEXTS: Kind = {
  read: (column) => column,
  write: (parameter) => `${parameter}::text`,
  holds: (value): value is string => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
}

const TIMES: Kind = {
  read: microseconds,
  write: instant,
  holds: (value): value is number => Number.isSafeInteger(value),
}

const KINDS: { readonly [column in OrderColumn]: Kind } = {
  name: TEXTS,
  key: TEXTS,
  begins_at: TIMES,
  created_at: TIMES,
  updated_at: TIMES,
  last_at: TIMES,
}

/** The column from which the cursor of a row is made. */
export const PLACE = { place: jsonb((value): value is Place => Array.isArray(value) && value.length === 2) }

export function placeColumn({ by }: Pick<ListOrder, 'by'>, alias: string): string {
  return `jsonb_build_array(${KINDS[by].read(`${alias}.${by}`)}, ${alias}.uuid) as place`
}

/** Columns of equal rows that come first in an order, and SQL for their values, so that their index has the order. */
export type Before = readonly (readonly [column: string, value: string])[]

export function orderBy({ by, isDescending }: ListOrder, alias: string, before: Before = []): string {
  const columns = [...before.map(([column]) => column), `${alias}.${by}`, `${alias}.uuid`]
  return `order by ${columns.map((column) => `${column} ${isDescending ? 'desc' : 'asc'}`).join(', ')}`
}

/** SQL for the condition that a row comes after a place. `first` is the number of the place's first parameter. */
export function isBeyond(
  { by, isDescending }: ListOrder,
  alias: string,
  place: Place | null,
  first: number,
  before: Before = [],
): string {
  if (place === null) return 'true'
  const columns = [...before.map(([column]) => column), `${alias}.${by}`, `${alias}.uuid`]
  const given = [...before.map(([, value]) => value), KINDS[by].write(`$${first}`), `$${first + 1}::uuid`]
  return `(${columns.join(', ')}) ${isDescending ? '<' : '>'} (${given.join(', ')})`
}

/** Removes the column of the place from a row, and adds the cursor of the place. */
export function toPlaced<Row extends RowOf<typeof PLACE>>(
  order: ListOrder,
  { place, ...item }: Row,
): Placed<Omit<Row, 'place'>> {
  return { item, cursor: writeCursor(order, place) }
}

function writeCursor(order: ListOrder, place: Place): string {
  return Buffer.from(JSON.stringify([...nameOf(order), ...place])).toString('base64url')
}

function nameOf({ list, by, isDescending }: ListOrder): readonly string[] {
  return [list, `${by} ${isDescending ? 'desc' : 'asc'}`]
}

/** The place after which a list continues; null at its beginning. Earlier releases' cursors, uuids, are accepted. */
export async function readCursor(
  order: ListOrder,
  cursor: string | null,
  find: (uuid: string) => Promise<Place | null>,
): Promise<Place | null> {
  if (cursor === null) return null
  const uuid = cursor.toLowerCase()
  if (!isUuid(uuid)) return placeIn(order, cursor)
  const place = await find(uuid)
  if (place !== null) return place
  const message = `the item of the cursor ${uuid} is no longer in this list; start again without \`after\``
  throw new HoldfastError('BAD_USER_INPUT', message)
}

/** Whether a text is a cursor of any list. */
export function isCursor(text: string): boolean {
  return isUuid(text.toLowerCase()) || partsOf(text).length > 0
}

function placeIn(order: ListOrder, cursor: string): Place {
  const [list, direction] = nameOf(order)
  const [ofList, inDirection, value, uuid] = partsOf(cursor)
  if (ofList !== list || inDirection !== direction) throw unknownCursor()
  const kind = KINDS[order.by]
  if (!kind.holds(value) || typeof uuid !== 'string' || !isUuid(uuid)) throw unknownCursor()
  return [value, uuid]
}

/** List, order, value and uuid; empty if the text is not a cursor. */
function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) && parts.length === 4 ? parts : []
  } catch {
    return []
  }
}

function unknownCursor(): HoldfastError {
  const message = 'after is no cursor of this list; give the endCursor of its last page, or leave it out'
  return new HoldfastError('BAD_USER_INPUT', message)
}
