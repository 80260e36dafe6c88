import { UUID } from '../db/columns.ts'
import type { Sql } from '../db/sql.ts'
import { entityFields, type Entity, type EntityField, type EntityName, type EntityOf } from '../records/entity.ts'
import { columnOf, shapeOf, type Stored } from './entity-columns.ts'
import { instant, microseconds } from './sql-times.ts'

// The statements about an entity that follow from its declaration. In all of them `e` is its table, and a record or
// system that a field refers to has the name of this field.

/** SQL for fields that are not read as they are stored, and for columns that are no fields. */
export type Expressions = { readonly [field: string]: string }

/** SQL for a select list. */
export function columnsOf(entity: Entity, instead: Expressions = {}): string {
  const simply = entityFields(entity).map((field) => [field.name, readingOf(field)])
  const all = { ...Object.fromEntries(simply), unitUuid: 'e.unit_uuid', ...instead }
  return Object.entries(all)
    .map(([name, expression]) => `${expression} as "${name}"`)
    .join(', ')
}

function readingOf({ name, column, record, node, inheritedBy }: EntityField): string {
  if (inheritedBy !== null) return `"${inheritedBy}".body ->> '${name}'`
  if (record !== null) return `"${name}".key`
  return node.precision === 'microseconds' ? microseconds(`e.${column}`) : `e.${column}`
}

/** SQL for the tables of a select: that of the entity, and the records whose keys are shown. */
export function tablesOf(entity: Entity): string {
  const joins = recordFields(entity).map(
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
  return entityFields(entity).filter(({ inheritedBy }) => inheritedBy === null)
}

function joinFor({ nullable }: EntityField): 'join' | 'left join' {
  return nullable ? 'left join' : 'join'
}

export async function fetchEntities<Name extends EntityName>(
  sql: Sql,
  domainId: number,
  entity: Entity<Name>,
  uuids: readonly string[],
  instead?: Expressions,
): Promise<Stored<Name>[]> {
  if (uuids.length === 0) return []
  return sql.rows(
    shapeOf(entity),
    `select ${columnsOf(entity, instead)} from ${tablesOf(entity)} where e.domain_id = $1 and e.uuid = any ($2::uuid[])`,
    [domainId, uuids],
  )
}

/** Inserts entities whose uuids are new, and gives their uuids. All that they refer to must exist. */
export async function insertEntities<Name extends EntityName>(
  sql: Sql,
  domainId: number,
  entity: Entity<Name>,
  entities: readonly EntityOf<Name>[],
): Promise<readonly string[]> {
  const { table, system } = entity
  const fields = ownFields(entity)
  const isPart = system !== 'uuid'
  const unit = isPart ? { columns: ['unit_uuid'], values: [`"${system}".unit_uuid`] } : { columns: [], values: [] }
  const ofSystem = `join systems "${system}" on "${system}".domain_id = $1 and "${system}".uuid = new."${system}"`
  const rows = await sql.rows(
    { uuid: UUID },
    `insert into ${table} (domain_id, ${[...fields.map(({ column }) => column), ...unit.columns].join(', ')})
     select $1, ${[...fields.map(writingOf), ...unit.values].join(', ')}
     from ${givenRows(fields)} ${joinsByKey(fields)} ${isPart ? ofSystem : ''}
     on conflict (domain_id, uuid) do nothing returning uuid`,
    [domainId, JSON.stringify(entities)],
  )
  return rows.map(({ uuid }) => uuid)
}

/** The field that says when an entity was changed last. */
const CHANGED_AT = 'updatedAt'

/** Writes all fields of entities that can be changed. */
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
     where e.domain_id = $1 and e.uuid = new.uuid`,
    [domainId, JSON.stringify(entities)],
  )
}

/** SQL for the rows of `$2`, a JSON array with an object for each. */
function givenRows(fields: readonly EntityField[]): string {
  return `jsonb_to_recordset($2::jsonb) as new (${fields.map((field) => `"${field.name}" ${columnOf(field).type}`).join(', ')})`
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

function writingOf({ name, record, node }: EntityField): string {
  if (record !== null) return `"${name}".uuid`
  return node.precision === 'microseconds' ? instant(`new."${name}"`) : `new."${name}"`
}
