import { INT8 } from '../db/columns.ts'
import type { Sql, SqlValue } from '../db/sql.ts'
import type { Entity, EntityName } from '../records/entity.ts'
import { selectEntities, tablesOf, type Stored } from './entities.ts'
import type { Reading } from './entity-columns.ts'

/** Which entities are meant, and how they are read. */
export interface Selection {
  /** A condition over `e`, whose parameters are `$3` and the following. */
  readonly matches: string
  readonly values: readonly SqlValue[]
  /** The uuids of organizations or units, and nothing below them; undefined: of all and of none. */
  readonly units: readonly string[] | undefined
  readonly reading?: Reading
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
export async function fetchEntityPage<Name extends EntityName, Row extends object = Stored<Name>>(
  sql: Sql,
  domainId: number,
  entity: Entity<Name>,
  selection: Selection,
  { first, after, by, isDescending = false }: EntityPage,
): Promise<Row[]> {
  const [beyond, direction] = isDescending ? ['<', 'desc'] : ['>', 'asc']
  const place = selection.values.length + 3
  return selectEntities<Name, Row>(sql, entity, {
    rest: `where ${conditionOf(selection)}
       and ($${place}::uuid is null or (e.${by}, e.uuid) ${beyond} (
         select ${by}, uuid from ${entity.table}
         where domain_id = $1 and uuid = $${place}::uuid and ($2::uuid[] is null or unit_uuid = any ($2::uuid[]))))
     order by e.${by} ${direction}, e.uuid ${direction} limit $${place + 1}`,
    values: [...valuesOf(domainId, selection), after, first],
    reading: selection.reading,
  })
}

export async function countEntities(sql: Sql, domainId: number, entity: Entity, selection: Selection): Promise<number> {
  const [row] = await sql.rows(
    { count: INT8 },
    `select count(*) as count from ${tablesOf(entity)} where ${conditionOf(selection)}`,
    valuesOf(domainId, selection),
  )
  return row?.count ?? 0
}

function conditionOf({ matches }: Selection): string {
  return `e.domain_id = $1 and ($2::uuid[] is null or e.unit_uuid = any ($2::uuid[])) and ${matches}`
}

function valuesOf(domainId: number, { values, units }: Selection): SqlValue[] {
  return [domainId, units ?? null, ...values]
}
