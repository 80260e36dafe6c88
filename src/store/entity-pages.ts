import { INT8 } from '../db/columns.ts'
import type { Sql, SqlValue } from '../db/sql.ts'
import type { RowShape } from '../db/row-shape.ts'
import type { Entity } from '../records/entity.ts'
import { selectEntities, tablesOf } from './entities.ts'
import type { EntityRow, NoColumns, Reading } from './entity-columns.ts'
import { hidden } from './narrowest.ts'

/** Which entities are meant, and how they are read. */
export interface Selection<Shape extends RowShape = NoColumns> {
  /** A condition over `e`, whose parameters are `$3` and the following. */
  readonly matches: string
  readonly values: readonly SqlValue[]
  /** Whether few rows fit, and are found by an index that does not have their units. */
  readonly isNarrow?: boolean
  /** The uuids of organizations or units, and nothing below them; undefined: of all and of none. */
  readonly units: readonly string[] | undefined
  readonly reading?: Reading<Shape>
}

export interface EntityPage {
  readonly first: number
  /** The uuid of the entity after which to go on. */
  readonly after: string | null
  /** The column that they are ordered by; those that are equal in it are ordered by their uuid. */
  readonly by: string
  readonly isDescending?: boolean
}

/** An entity of other units is no place to go on from: its place in the order would be told. */
export async function fetchEntityPage<Declared extends Entity, Shape extends RowShape = NoColumns>(
  sql: Sql,
  domainId: number,
  entity: Declared,
  selection: Selection<Shape>,
  { first, after, by, isDescending = false }: EntityPage,
): Promise<EntityRow<Declared, Shape>[]> {
  const [beyond, direction] = isDescending ? ['<', 'desc'] : ['>', 'asc']
  const place = selection.values.length + 3
  return selectEntities(sql, entity, {
    rest: `where ${conditionOf(entity, selection)}
       and ($${place}::uuid is null or (e.${by}, e.uuid) ${beyond} (
         select ${by}, uuid from ${entity.table}
         where domain_id = $1 and uuid = $${place}::uuid and ${isWithin(entity, 'unit_uuid', true)}))
     order by e.${by} ${direction}, e.uuid ${direction} limit $${place + 1}`,
    values: [...valuesOf(domainId, selection), after, first],
    reading: selection.reading,
  })
}

/** Counts all of them, or one more than `most` where there are more, which an index answers without reading the rest. */
export async function countEntities(
  sql: Sql,
  domainId: number,
  entity: Entity,
  selection: Selection<RowShape>,
  most: number | null = null,
): Promise<number> {
  const values = valuesOf(domainId, selection)
  const meant = `from ${tablesOf(entity)} where ${conditionOf(entity, selection)}`
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

/** What belongs to no system is within no unit. */
function isWithin({ system }: Entity, column: string, isHidden: boolean): string {
  const isIn = `${column} = any ($2::uuid[])`
  return system === null ? '$2::uuid[] is null' : `($2::uuid[] is null or ${isHidden ? hidden(isIn) : isIn})`
}

function valuesOf(domainId: number, { values, units }: Selection<RowShape>): SqlValue[] {
  return [domainId, units ?? null, ...values]
}
