import {
  BOOL,
  FLOAT8,
  INT8,
  isListOf,
  jsonb,
  JSONB_OBJECT,
  nullable,
  oneOf,
  TEXT,
  TIMESTAMPTZ,
  UUID,
  type Column,
} from '../db/columns.ts'
import type { RowOf, RowShape, ShapeOf } from '../db/row-shape.ts'
import { storedFields, type Entity, type EntityField, type Stored } from '../records/entity.ts'
import { closedMembers, resolveNotNull } from '../records/shape.ts'
import { instant, microseconds } from './sql-times.ts'

// How the fields of an entity are stored. In all statements, `e` is the table of the entity and `new` are the given
// rows. A record or system that a field refers to has the name of that field.

/** How an entity is read, if that differs from the stored columns. */
export interface Reading<Shape extends RowShape = NoColumns> {
  readonly expressions: { readonly [column: string]: string }
  /** The columns that are not fields, or whose type differs from the field. */
  readonly shape?: Shape
}

export type NoColumns = { readonly [column in never]: never }

/** The row of an entity that a statement reads. */
export type EntityRow<Declared extends Entity, Shape extends RowShape = NoColumns> = Omit<
  Stored<Declared>,
  keyof Shape
> &
  RowOf<Shape>

/** The columns of an entity for a statement. */
interface Columns<Row extends object> {
  /** SQL of the select list. */
  readonly list: string
  /** The shape of the rows. */
  readonly shape: ShapeOf<Row>
}

const cache = new WeakMap<Entity, WeakMap<object, Columns<object>>>()

/**
 * The columns of an entity. The type of the rows is generated from the same schema as their shape, but the compiler
 * cannot verify this.
 */
export function columnsOf<Declared extends Entity, Shape extends RowShape = NoColumns>(
  entity: Declared,
  reading?: Reading<Shape>,
): Columns<EntityRow<Declared, Shape>> {
  const ofEntity = cache.get(entity) ?? new WeakMap<object, Columns<object>>()
  cache.set(entity, ofEntity)
  const known = ofEntity.get(reading ?? entity) ?? { list: listOf(entity, reading), shape: shapeOf(entity, reading) }
  ofEntity.set(reading ?? entity, known)
  return known as Columns<EntityRow<Declared, Shape>>
}

/** The shape of the rows of a statement that reads further columns. */
export function shapeWith<Declared extends Entity, Shape extends RowShape, Other extends RowShape>(
  { shape }: Columns<EntityRow<Declared, Shape>>,
  others: Other,
): ShapeOf<EntityRow<Declared, Shape> & RowOf<Other>> {
  const all: RowShape = { ...shape, ...others }
  return all as ShapeOf<EntityRow<Declared, Shape> & RowOf<Other>>
}

function listOf(entity: Entity, reading?: Reading<RowShape>): string {
  const simply = storedFields(entity).map((field) => [field.name, readingOf(field)] as const)
  const unit = entity.system === null ? {} : { unitUuid: 'e.unit_uuid' }
  const all: { readonly [column: string]: string } = { ...Object.fromEntries(simply), ...unit, ...reading?.expressions }
  return Object.entries(all)
    .map(([name, expression]) => `${expression} as "${name}"`)
    .join(', ')
}

function readingOf({ name, column, record, node, inheritedBy }: EntityField): string {
  if (inheritedBy !== null) return `"${inheritedBy}".body ->> '${name}'`
  if (record !== null) return `"${name}".key`
  return node.precision === 'microseconds' ? microseconds(`e.${column}`) : `e.${column}`
}

/** The SQL expression that writes the column of a field. */
export function writingOf({ name, record, node }: EntityField): string {
  if (record !== null) return `"${name}".uuid`
  return node.precision === 'microseconds' ? instant(`new."${name}"`) : `new."${name}"`
}

function shapeOf(entity: Entity, reading?: Reading<RowShape>): RowShape {
  const fields = storedFields(entity).map((field) => {
    const { column } = kindOf(field)
    return [field.name, field.nullable ? nullable(column) : column]
  })
  const unit = entity.system === null ? {} : { unitUuid: nullable(UUID) }
  return { ...Object.fromEntries(fields), ...unit, ...reading?.shape }
}

/** The SQL type of the given value of a field. */
export function sqlTypeOf(field: EntityField): string {
  return kindOf(field).type
}

interface Kind {
  readonly type: string
  readonly column: Column<unknown>
}

const KINDS: { readonly [type: string]: Kind } = {
  array: { type: 'jsonb', column: jsonb(isListOf((item): item is unknown => item !== undefined)) },
  boolean: { type: 'boolean', column: BOOL },
  integer: { type: 'int8', column: INT8 },
  number: { type: 'float8', column: FLOAT8 },
  object: { type: 'jsonb', column: JSONB_OBJECT },
  string: { type: 'text', column: TEXT },
}

const FORMATS: { readonly [format: string]: Kind } = {
  'date-time': { type: 'timestamptz', column: TIMESTAMPTZ },
  uuid: { type: 'uuid', column: UUID },
}

/** A value of any type is stored as JSON. */
const ANY: Kind = { type: 'jsonb', column: jsonb((value): value is unknown => value !== undefined) }

function kindOf({ node }: EntityField): Kind {
  if (node.precision === 'microseconds') return { type: 'int8', column: INT8 }
  const { node: resolved } = resolveNotNull(node)
  const { type, format = '' } = resolved
  const closed = closedMembers(resolved).map(({ value }) => value)
  if (closed.length > 0) return { type: 'text', column: oneOf(closed) }
  const [only = '', ...others] = [type ?? []].flat().filter((one) => one !== 'null')
  return FORMATS[format] ?? (others.length === 0 ? KINDS[only] : undefined) ?? ANY
}
