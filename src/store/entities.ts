import { INT8, UUID } from '../db/columns.ts'
import type { Sql, SqlValue } from '../db/sql.ts'
import type { RowShape } from '../db/row-shape.ts'
import { storedFields, type Entity, type EntityField, type EntityName, type EntityOf } from '../records/entity.ts'
import { columnsOf, sqlTypeOf, writingOf, type EntityRow, type NoColumns, type Reading } from './entity-columns.ts'

// The statements about an entity that are generated from its declaration.

/** The FROM clause of a select: the table, and the records whose keys are shown, or only those that `text` names. */
export function tablesOf(entity: Entity, text?: string): string {
  const joined = recordFields(entity).filter(({ name }) => text === undefined || text.includes(`"${name}"`))
  const joins = joined.map(
    (field) => `${joinFor(field)} records "${field.name}"
      on "${field.name}".domain_id = e.domain_id and "${field.name}".uuid = e.${field.column}`,
  )
  return [`${entity.table} e`, ...joins].join(' ')
}

function recordFields(entity: Entity): readonly EntityField[] {
  return ownFields(entity).filter(({ record }) => record !== null)
}

/** The fields that have a column of their own. */
function ownFields(entity: Entity): readonly EntityField[] {
  return storedFields(entity).filter(({ inheritedBy }) => inheritedBy === null)
}

function joinFor({ nullable }: EntityField): 'join' | 'left join' {
  return nullable ? 'left join' : 'join'
}

export async function fetchEntities<Declared extends Entity, Shape extends RowShape = NoColumns>(
  sql: Sql,
  domainId: number,
  entity: Declared,
  uuids: readonly string[],
  reading?: Reading<Shape>,
): Promise<EntityRow<Declared, Shape>[]> {
  if (uuids.length === 0) return []
  const where = 'e.domain_id = $1 and e.uuid = any ($2::uuid[])'
  return selectEntities(sql, entity, { rest: `where ${where}`, values: [domainId, uuids], reading })
}

/** The maximum number of entities that are read before their size is known: the length of a page. */
const FEW = 1_000

/** The bytes of these entities, to be checked before they are read; 0 for few. */
export async function fetchBytes(
  sql: Sql,
  domainId: number,
  entity: Entity,
  uuids: readonly string[],
): Promise<number> {
  if (uuids.length <= FEW) return 0
  const column = storedFields(entity).find(({ name }) => name === 'uuid')?.column
  const [row] = await sql.rows(
    { bytes: INT8 },
    `select coalesce(sum(octet_length(e::text)), 0)::int8 as bytes from ${entity.table} e
     where e.domain_id = $1 and e.${column} = any ($2::uuid[])`,
    [domainId, uuids],
  )
  return row?.bytes ?? 0
}

interface Select<Shape extends RowShape> {
  /** The part of the statement after its tables. */
  readonly rest: string
  readonly values: readonly SqlValue[]
  readonly reading?: Reading<Shape> | undefined
}

export async function selectEntities<Declared extends Entity, Shape extends RowShape = NoColumns>(
  sql: Sql,
  entity: Declared,
  { rest, values, reading }: Select<Shape>,
): Promise<EntityRow<Declared, Shape>[]> {
  const { list, shape } = columnsOf(entity, reading)
  return sql.rows<EntityRow<Declared, Shape>>(shape, `select ${list} from ${tablesOf(entity)} ${rest}`, values)
}

/**
 * Inserts entities and returns the uuids of the new ones. Entities whose uuid exists are skipped. All records that they
 * refer to must exist.
 */
export async function insertEntities<Name extends EntityName>(
  sql: Sql,
  domainId: number,
  entity: Entity<Name>,
  entities: readonly EntityOf<Name>[],
): Promise<readonly string[]> {
  const rows = await sql.rows({ uuid: UUID }, insertFrom(entity), [domainId, JSON.stringify(entities)])
  return rows.map(({ uuid }) => uuid)
}

function insertFrom(entity: Entity): string {
  const fields = ownFields(entity)
  const key = fields.find(({ name }) => name === 'uuid')?.column
  const { columns, joins } = placementOf(entity)
  const all = [...fields.map((field) => [field.column, writingOf(field)] as const), ...columns]
  return `insert into ${entity.table} (domain_id, ${all.map(([column]) => column).join(', ')})
    select $1, ${all.map(([, value]) => value).join(', ')} from ${givenRows(fields)} ${joinsByKey(fields)} ${joins}
    on conflict (domain_id, ${key}) do nothing returning ${key} as uuid`
}

/** The additional columns of a new row, with SQL for their values and the necessary joins. */
interface Placement {
  readonly columns: readonly (readonly [column: string, value: string])[]
  readonly joins: string
}

const OF_SYSTEM = `cross join lateral (
  select uuid, unit_uuid from systems where domain_id = $1 and uuid = new."systemUuid" limit 1) system`

/** An entity of a system belongs to the unit of the system. */
function placementOf({ system }: Entity): Placement {
  if (system === 'uuid' || system === null) return { columns: [], joins: '' }
  return { columns: [['unit_uuid', 'system.unit_uuid']], joins: OF_SYSTEM }
}

/** The field with the time of the last change. */
const CHANGED_AT = 'updatedAt'

/** Updates all changeable fields. Fields that are fixed at creation stay. */
export async function updateEntities<Name extends EntityName>(
  sql: Sql,
  domainId: number,
  entity: Entity<Name>,
  entities: readonly EntityOf<Name>[],
): Promise<void> {
  const fields = ownFields(entity).filter(({ name, node }) => node.patch !== undefined || name === CHANGED_AT)
  const identity = ownFields(entity).filter(({ name }) => name === 'uuid')
  await sql.query(
    `update ${entity.table} e set ${fields.map((field) => `${field.column} = ${writingOf(field)}`).join(', ')}
     from ${givenRows([...identity, ...fields])} ${joinsByKey(fields)}
     where e.domain_id = $1 and e.uuid = any (${GIVEN_UUIDS}) and e.uuid = new.uuid`,
    [domainId, JSON.stringify(entities)],
  )
}

/** SQL that lets an index find the given rows. Otherwise PostgreSQL would read all rows of the domain. */
const GIVEN_UUIDS = `array(select (given ->> 'uuid')::uuid from jsonb_array_elements($2::jsonb) given)`

/** The rows of `$2`, a JSON array with an object for each. */
function givenRows(fields: readonly EntityField[]): string {
  return `jsonb_to_recordset($2::jsonb) as new (${fields.map((field) => `"${field.name}" ${sqlTypeOf(field)}`).join(', ')})`
}

function joinsByKey(fields: readonly EntityField[]): string {
  const joins = fields
    .filter(({ record }) => record !== null)
    .map(
      (field) => `${joinFor(field)} records "${field.name}"
        on "${field.name}".domain_id = $1 and "${field.name}".type = '${field.record}' and "${field.name}".key = new."${field.name}"`,
    )
  return joins.join(' ')
}
