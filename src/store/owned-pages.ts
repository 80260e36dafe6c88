import { INT8, UUID } from '../db/columns.ts'
import type { Sql, SqlValue } from '../db/sql.ts'
import type { OwnedEntities, OwnedRecords } from '../records/edges.ts'
import { entityFields } from '../records/entity.ts'
import {
  isBeyond,
  orderBy,
  PLACE,
  placeColumn,
  readCursor,
  toPlaced,
  type Before,
  type ListOrder,
  type Placed,
} from './cursors.ts'
import { isAround } from './model/around.ts'
import { linked } from './model/links.ts'
import { hidden } from './narrowest.ts'

// Pages of the objects that belong to others, for any number of owners in one statement.

/** The objects that an actor may see. A member is null if it does not limit. */
export interface Visible {
  readonly systemUuid: string | null
  readonly units: readonly string[] | null
}

export interface OwnedQuery {
  readonly owners: readonly string[]
  readonly first: number
  /** The cursor after which each page begins. */
  readonly after: string | null
  /** The maximum number of rows of all pages together. */
  readonly most: number
}

/** An object of a page. */
export interface Owned {
  readonly owner: string
  readonly uuid: string
}

/** SQL for the objects `r` of the owner `owner`. */
interface Source {
  readonly from: string
  readonly where: string
  readonly before: Before
  readonly order: ListOrder
  readonly visible: SqlValue
  readonly system: string | null
}

function sourceOf(through: OwnedEntities | OwnedRecords, visible: Visible): Source {
  return 'entity' in through ? entitiesOf(through, visible) : recordsOf(through, visible)
}

/**
 * A range has the order of its column, and so of an index that begins with it. With equality, PostgreSQL would read all
 * rows in the order of the list if its statistics do not tell owners with few objects from others.
 */
function entitiesOf({ entity, column }: OwnedEntities, { systemUuid, units }: Visible): Source {
  const { table, system, order = { by: 'created_at', isDescending: false } } = entity
  const columnOf = (field: string) => entityFields(entity).find(({ name }) => name === field)?.column ?? field
  const isOfUnit = `$3::uuid[] is null${system === null ? '' : ' or r.unit_uuid = any ($3::uuid[])'}`
  const isOfSystem = `$4::uuid is null${system === null ? '' : ` or r.${columnOf(system)} = $4::uuid`}`
  const uuid = columnOf('uuid')
  return {
    from: uuid === 'uuid' ? `${table} r` : `(select all_of.*, all_of.${uuid} as uuid from ${table} all_of) r`,
    where: `r.domain_id = $1 and r.${column} between owner.uuid and owner.uuid
      and ${hidden(isOfUnit)} and ${hidden(isOfSystem)}`,
    before: [[`r.${column}`, 'owner.uuid']],
    order: { list: table, ...order },
    visible: units,
    system: systemUuid,
  }
}

/** Each referring record is found by its uuid: see `linked`. */
function recordsOf({ type: { name }, link }: OwnedRecords, { units }: Visible): Source {
  const referring = `(select far.* from record_references near
    cross join lateral (
      select * from records where domain_id = $1 and uuid = near.from_uuid and type = '${name}' limit 1) far
    where near.domain_id = $1 and near.to_uuid = owner.uuid offset 0)`
  return {
    from: `${link === null ? referring : linked('owner.uuid', link, name)} r`,
    where: `${isAround('$3')} and $4::uuid is null`,
    before: [],
    order: { list: name, by: 'key', isDescending: false },
    visible: units,
    system: null,
  }
}

const OWNED = { owner: UUID, uuid: UUID, ...PLACE }
const OWNERS = 'from unnest($2::uuid[]) owner (uuid)'

/** Reads one more object than a page has, in the order of the owners and then of the list. */
export async function fetchOwned(
  sql: Sql,
  domainId: number,
  through: OwnedEntities | OwnedRecords,
  seen: Visible,
  { owners, first, after, most }: OwnedQuery,
): Promise<Placed<Owned>[]> {
  const { from, where, before, order, visible, system } = sourceOf(through, seen)
  const place = await readCursor(order, after, () => Promise.resolve(null))
  const rows = await sql.rows(
    OWNED,
    `select owner.uuid as owner, r.uuid, ${placeColumn(order, 'r')}
     ${OWNERS} cross join lateral (select r.* from ${from}
       where ${where} and ${isBeyond(order, 'r', place, 7, before)} ${orderBy(order, 'r', before)} limit $5) r
     ${orderBy(order, 'r').replace('order by', 'order by owner.uuid,')} limit $6`,
    [domainId, owners, visible, system, first + 1, most + 1, ...(place ?? [])],
  )
  return rows.map((row) => toPlaced(order, row))
}

/** Counts the objects of each owner. */
export async function countOwned(
  sql: Sql,
  domainId: number,
  through: OwnedEntities | OwnedRecords,
  seen: Visible,
  owners: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { from, where, visible, system } = sourceOf(through, seen)
  const rows = await sql.rows(
    { owner: UUID, count: INT8 },
    `select owner.uuid as owner, counted.count ${OWNERS}
     cross join lateral (select count(*) as count from ${from} where ${where}) counted`,
    [domainId, owners, visible, system],
  )
  return new Map(rows.map(({ owner, count }) => [owner, count]))
}
