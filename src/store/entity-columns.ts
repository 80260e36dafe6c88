import {
  BOOL,
  FLOAT8,
  INT8,
  JSONB_OBJECT,
  JSONB_OBJECTS,
  nullable,
  oneOf,
  TEXT,
  TIMESTAMPTZ,
  UUID,
  type Column,
} from '../db/columns.ts'
import type { ShapeOf } from '../db/row-shape.ts'
import { entityFields, type Entity, type EntityField, type EntityName, type EntityOf } from '../records/entity.ts'
import { resolveNode, type SchemaNode } from '../records/shape.ts'

/** An entity as it is stored: the unit is that of the system it belongs to. */
export type Stored<Name extends EntityName> = EntityOf<Name> & { readonly unitUuid: string | null }

/** The shape of the rows of an entity, by the schema that its TypeScript type is generated from. */
export function shapeOf<Name extends EntityName>(entity: Entity<Name>): ShapeOf<Stored<Name>> {
  const columns = entityFields(entity).map((field) => [field.name, columnOf(field)])
  return { ...Object.fromEntries(columns), unitUuid: nullable(UUID) } as ShapeOf<Stored<Name>>
}

/** The column that a field is read as, and written from. */
export function columnOf(field: EntityField): Column<unknown> {
  const column = valuesOf(field.name, field.node)
  return field.nullable ? nullable(column) : column
}

const TYPES: { readonly [type: string]: Column<unknown> } = {
  array: JSONB_OBJECTS,
  boolean: BOOL,
  integer: INT8,
  number: FLOAT8,
  object: JSONB_OBJECT,
  string: TEXT,
}

const FORMATS: { readonly [format: string]: Column<unknown> } = { 'date-time': TIMESTAMPTZ, uuid: UUID }

function valuesOf(name: string, given: SchemaNode): Column<unknown> {
  if (given.precision === 'microseconds') return INT8
  const { node } = resolveNode(given)
  const members = node.enum ?? node.oneOf?.map((member) => member.const)
  if (members !== undefined) return oneOf(members)
  // A value of any type is stored as the text of its JSON.
  if (node.type === undefined) return TEXT
  const [type = ''] = [node.type].flat().filter((one) => one !== 'null')
  const found = FORMATS[node.format ?? ''] ?? TYPES[type]
  if (found === undefined) throw new Error(`no column can have the values of ${name}`)
  return found
}
