import type { Sql } from '../db/sql.ts'
import { entityFields, type Entity, type EntityField, type EntityName, type EntityOf } from '../records/entity.ts'
import { resolveNode } from '../records/shape.ts'
import { instant, microseconds } from './sql-times.ts'

// The statements about an entity that follow from its declaration. In all of them `e` is its table, and a record or system
// that a field refers to has the name of this field.

/** An entity as it is stored: the unit is that of the system it belongs to. */
export type Stored<Name extends EntityName> = EntityOf<Name> & { readonly unitUuid: string | null }

/** How fields are read that are not simply what is stored, and what is read with them that is no field. */
export type Expressions = { readonly [field: string]: string }

/** The columns of a select list. */
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

/** What a select is from: the table, and the records whose keys are shown. */
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
  return sql.query<Stored<Name>>(
    `select ${columnsOf(entity, instead)} from ${tablesOf(entity)} where e.domain_id = $1 and e.uuid = any ($2::uuid[])`,
    [domainId, uuids],
  )
}

/** Gives the uuids of those that were made: one whose uuid exists is left out. All that they refer to must exist. */
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
  const rows = await sql.query<{ uuid: string }>(
    `insert into ${table} (domain_id, ${[...fields.map(({ column }) => column), ...unit.columns].join(', ')})
     select $1, ${[...fields.map(writingOf), ...unit.values].join(', ')}
     from ${givenRows(fields)} ${joinsByKey(fields)} ${isPart ? ofSystem : ''}
     on conflict (domain_id, uuid) do nothing returning uuid`,
    [domainId, JSON.stringify(entities)],
  )
  return rows.map(({ uuid }) => uuid)
}

/** The field of an entity that says when it was changed last. */
const CHANGED_AT = 'updatedAt'

/** Writes all that can be changed of them; what they were made with for ever stays. */
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

/** The rows of `$2`, a JSON array with an object for each. */
function givenRows(fields: readonly EntityField[]): string {
  return `jsonb_to_recordset($2::jsonb) as new (${fields.map((field) => `"${field.name}" ${sqlType(field)}`).join(', ')})`
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

const TYPES: { readonly [type: string]: string } = {
  array: 'jsonb',
  boolean: 'boolean',
  integer: 'int8',
  number: 'float8',
  object: 'jsonb',
}

const FORMATS: { readonly [format: string]: string } = { 'date-time': 'timestamptz', uuid: 'uuid' }

function sqlType({ node, name }: EntityField): string {
  if (node.precision === 'microseconds') return 'int8'
  const resolved = resolveNode(node).node
  const [type = ''] = [resolved.type ?? []].flat().filter((one) => one !== 'null')
  const found = FORMATS[resolved.format ?? ''] ?? TYPES[type] ?? (type === 'string' ? 'text' : undefined)
  if (found === undefined) throw new Error(`no column can have the values of ${name}`)
  return found
}
