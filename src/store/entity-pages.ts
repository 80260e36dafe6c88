import { INT8 } from '../db/columns.ts'
import type { ShapeOf } from '../db/row-shape.ts'
import type { Sql, SqlValue } from '../db/sql.ts'
import type { Entity } from '../records/entity.ts'
import { columnsOf, tablesOf, type Expressions } from './entities.ts'

/** The entities that are meant. */
export interface Condition {
  /** A condition over `e`, whose parameters are `$3` and the following. */
  readonly matches: string
  readonly values: readonly SqlValue[]
  /** The uuids of organizations or units, and nothing below them; undefined: of all and of none. */
  readonly units: readonly string[] | undefined
}

/** The entities that are meant, and the rows that they are read as. */
export interface Selection<Row extends object> extends Condition {
  readonly instead?: Expressions
  readonly shape: ShapeOf<Row>
}

export interface EntityPage {
  readonly first: number
  /** The uuid of the entity after which to go on. */
  readonly after: string | null
  /** The column that they are ordered by; those that are equal in it are ordered by their uuid. */
  readonly by: string
  readonly isDescending?: boolean
}

/** A page of entities. It never begins after an entity of other units, since that would tell its place in the order. */
export async function fetchEntityPage<Row extends object>(
  sql: Sql,
  domainId: number,
  entity: Entity,
  selection: Selection<Row>,
  { first, after, by, isDescending = false }: EntityPage,
): Promise<Row[]> {
  const [beyond, direction] = isDescending ? ['<', 'desc'] : ['>', 'asc']
  const place = selection.values.length + 3
  return sql.rows(
    selection.shape,
    `select ${columnsOf(entity, selection.instead)} from ${tablesOf(entity)} where ${conditionOf(selection)}
       and ($${place}::uuid is null or (e.${by}, e.uuid) ${beyond} (
         select ${by}, uuid from ${entity.table}
         where domain_id = $1 and uuid = $${place}::uuid and ($2::uuid[] is null or unit_uuid = any ($2::uuid[]))))
     order by e.${by} ${direction}, e.uuid ${direction} limit $${place + 1}`,
    [...valuesOf(domainId, selection), after, first],
  )
}

export async function countEntities(sql: Sql, domainId: number, entity: Entity, selection: Condition): Promise<number> {
  const [row] = await sql.rows(
    { count: INT8 },
    `select count(*) as count from ${tablesOf(entity)} where ${conditionOf(selection)}`,
    valuesOf(domainId, selection),
  )
  return row?.count ?? 0
}

function conditionOf({ matches }: Condition): string {
  return `e.domain_id = $1 and ($2::uuid[] is null or e.unit_uuid = any ($2::uuid[])) and ${matches}`
}

function valuesOf(domainId: number, { values, units }: Condition): SqlValue[] {
  return [domainId, units ?? null, ...values]
}
