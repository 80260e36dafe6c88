import { INT8 } from '../db/columns.ts'
import type { Sql, SqlValue } from '../db/sql.ts'
import type { RowOf, RowShape } from '../db/row-shape.ts'
import type { Entity } from '../records/entity.ts'
import {
  isBeyond,
  orderBy,
  PLACE,
  placeColumn,
  readCursor,
  toPlaced,
  type ListOrder,
  type OrderColumn,
  type Placed,
} from './cursors.ts'
import { tablesOf } from './entities.ts'
import { columnsOf, shapeWith, type EntityRow, type NoColumns, type Reading } from './entity-columns.ts'
import { hidden } from './narrowest.ts'

/** The selection of entities, and how they are read. */
export interface Selection<Shape extends RowShape = NoColumns> {
  /** A condition on `e`. Its parameters begin at `$3`. */
  readonly matches: string
  readonly values: readonly SqlValue[]
  /** Whether few rows match, and an index without units finds these rows. */
  readonly isNarrow?: boolean
  /**
   * The uuids of organizations or units, without the units below them; undefined for all, including entities without a
   * unit.
   */
  readonly units: readonly string[] | undefined
  readonly reading?: Reading<Shape>
}

export interface EntityPage {
  readonly first: number
  /** The cursor after which the list continues. */
  readonly after: string | null
  readonly by: OrderColumn
  readonly isDescending?: boolean
}

/** An entity that was read, without the column for its cursor. */
type EntityInPage<Declared extends Entity, Shape extends RowShape> = Omit<
  EntityRow<Declared, Shape> & RowOf<typeof PLACE>,
  'place'
>

export async function fetchEntityPage<Declared extends Entity, Shape extends RowShape = NoColumns>(
  sql: Sql,
  domainId: number,
  entity: Declared,
  selection: Selection<Shape>,
  page: EntityPage,
): Promise<Placed<EntityInPage<Declared, Shape>>[]> {
  const { order, rest, values } = await partsOf(sql, domainId, entity, selection, page)
  const columns = columnsOf(entity, selection.reading)
  const rows = await sql.rows(
    shapeWith(columns, PLACE),
    `select ${columns.list}, ${placeColumn(order, 'e')} ${rest}`,
    values,
  )
  return rows.map((row) => toPlaced(order, row))
}

/** The bytes of a page, which are counted before a page with long rows is read. */
export async function fetchPageBytes(
  sql: Sql,
  domainId: number,
  entity: Entity,
  selection: Selection,
  page: EntityPage,
): Promise<number> {
  const { rest, values } = await partsOf(sql, domainId, entity, selection, page)
  const [row] = await sql.rows(
    { bytes: INT8 },
    `select coalesce(sum(bytes), 0)::int8 as bytes from (select octet_length(e::text) as bytes ${rest}) page`,
    values,
  )
  return row?.bytes ?? 0
}

/** The statement for a page, after its columns. */
async function partsOf(
  sql: Sql,
  domainId: number,
  entity: Entity,
  selection: Selection<RowShape>,
  { first, after, by, isDescending = false }: EntityPage,
) {
  const order = { list: entity.table, by, isDescending }
  const place = await readCursor(order, after, (uuid) => fetchPlace(sql, domainId, entity, { order, selection, uuid }))
  const values = [...valuesOf(domainId, selection), first]
  const rest = `from ${tablesOf(entity)}
     where ${conditionOf(entity, selection)} and ${isBeyond(order, 'e', place, values.length + 1)}
     ${orderBy(order, 'e')} limit $${values.length}`
  return { order, rest, values: [...values, ...(place ?? [])] }
}

interface Sought {
  readonly order: ListOrder
  readonly selection: Selection<RowShape>
  readonly uuid: string
}

/** The place of an entity. Entities of other units are not found, because the error would reveal their order. */
async function fetchPlace(sql: Sql, domainId: number, entity: Entity, { order, selection, uuid }: Sought) {
  const [found] = await sql.rows(
    PLACE,
    `select ${placeColumn(order, 'e')} from ${entity.table} e
     where e.domain_id = $1 and e.uuid = $3::uuid and ${isWithin(entity, 'e.unit_uuid', true)}`,
    [domainId, selection.units ?? null, uuid],
  )
  return found?.place ?? null
}

/**
 * Counts the entities, up to one more than `most`, which an index answers without reading the rest. Runs no query for
 * 0.
 */
export async function countEntities(
  sql: Sql,
  domainId: number,
  entity: Entity,
  selection: Selection<RowShape>,
  most: number | null = null,
): Promise<number> {
  if (most === 0) return 0
  const values = valuesOf(domainId, selection)
  const condition = conditionOf(entity, selection)
  const meant = `from ${tablesOf(entity, condition)} where ${condition}`
  const [row] = await sql.rows(
    { count: INT8 },
    most === null
      ? `select count(*) as count ${meant}`
      : `select count(*) as count from (select e.uuid ${meant} limit $${values.length + 1}::int8) counted`,
    most === null ? values : [...values, most + 1],
  )
  return row?.count ?? 0
}

function conditionOf(entity: Entity, { matches, isNarrow = false }: Selection<RowShape>): string {
  return `e.domain_id = $1 and ${isWithin(entity, 'e.unit_uuid', isNarrow)} and ${matches}`
}

/** An entity without a system belongs to no unit. */
function isWithin({ system }: Entity, column: string, isHidden: boolean): string {
  const isIn = `${column} = any ($2::uuid[])`
  return system === null ? '$2::uuid[] is null' : `($2::uuid[] is null or ${isHidden ? hidden(isIn) : isIn})`
}

function valuesOf(domainId: number, { values, units }: Selection<RowShape>): SqlValue[] {
  return [domainId, units ?? null, ...values]
}
