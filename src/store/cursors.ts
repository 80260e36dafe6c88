import { jsonb } from '../db/columns.ts'
import type { RowOf } from '../db/row-shape.ts'
import { HoldfastError } from '../lib/errors.ts'
import { isUuid } from '../lib/uuid.ts'
import { instant, microseconds } from './sql-times.ts'

// A list goes on after a place and not after a row, which may be renamed, moved or gone when the next page is asked for. So
// a cursor holds the place, and nothing but what its page has shown.

/** The list and its order. A cursor counts in no other list, and in no other order. */
export interface ListOrder {
  readonly list: string
  readonly by: OrderColumn
  readonly isDescending: boolean
}

/** The column that orders the rows; rows with equal values are ordered by their uuid. */
export type OrderColumn = 'name' | 'key' | 'begins_at' | 'created_at' | 'updated_at' | 'last_at'

type Place = readonly [value: string | number, uuid: string]

/** Something in a list, with the cursor after which the list goes on behind it. */
export interface Placed<Item> {
  readonly item: Item
  readonly cursor: string
}

interface Kind {
  /** The value of a column, as a cursor holds it. */
  read(column: string): string
  /** The value of a parameter, as the column has it. */
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

/** The column from which the cursor of a row is written. */
export const PLACE = { place: jsonb((value): value is Place => Array.isArray(value) && value.length === 2) }

export function placeColumn({ by }: Pick<ListOrder, 'by'>, alias: string): string {
  return `jsonb_build_array(${KINDS[by].read(`${alias}.${by}`)}, ${alias}.uuid) as place`
}

export function orderBy({ by, isDescending }: ListOrder, alias: string): string {
  const direction = isDescending ? 'desc' : 'asc'
  return `order by ${alias}.${by} ${direction}, ${alias}.uuid ${direction}`
}

/** SQL of the condition under which a row stands after a place, the parameters of which begin with the number `first`. */
export function isBeyond({ by, isDescending }: ListOrder, alias: string, place: Place | null, first: number): string {
  if (place === null) return 'true'
  const given = `(${KINDS[by].write(`$${first}`)}, $${first + 1}::uuid)`
  return `(${alias}.${by}, ${alias}.uuid) ${isDescending ? '<' : '>'} ${given}`
}

/** Takes the column of its place from a row, which is an item without it, and gives the item its cursor. */
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

/**
 * The place after which a list goes on; null at its beginning. Cursors were uuids once, so the uuid of what can be found is
 * still one.
 */
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
  const message = `the item of the cursor ${uuid} is no longer in this list; begin again, without after`
  throw new HoldfastError('BAD_USER_INPUT', message)
}

/** Whether it is a cursor at all, of whichever list. */
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

/** List, order, value and uuid; empty if the text is no cursor. */
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
