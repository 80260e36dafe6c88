import { isObject } from '../lib/json.ts'
import type { Column } from './columns.ts'
import { nameOfOid, OID } from './values.ts'

/** The columns of a result by name: `{ uuid: UUID, name: TEXT, seenAt: nullable(TIMESTAMPTZ) }`. */
export interface RowShape {
  readonly [column: string]: Column<unknown>
}

/** The type of rows with a shape. */
export type RowOf<Shape extends RowShape> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Column<infer Value> ? Value : never
}

/** The shape of rows with a type. */
export type ShapeOf<Row extends object> = { readonly [Name in keyof Row]: Column<Row[Name]> }

/** PostgreSQL's description of one column of a result, in the form of both drivers. */
interface Field {
  readonly name: string
  readonly dataTypeID: number
}

/** The result of a statement from a driver. */
export interface Result {
  readonly rows: object[]
  readonly fields: readonly Field[]
}

/** Returns the rows of a result with the type of a shape, after a check of the columns. */
export function toRows<Row extends object>(shape: ShapeOf<Row>, { rows, fields }: Result, text: string): Row[] {
  checkFields(shape, fields, text)
  return rows as Row[]
}

/**
 * Compares a shape with the columns that PostgreSQL returned. It runs for every statement, because another process may
 * change the database meanwhile. It costs less than a microsecond per statement, and nothing per row. The error is a
 * plain Error, so clients do not see its message.
 */
function checkFields(shape: RowShape, given: readonly Field[], text: string): void {
  const wanted = fieldsOf(shape)
  // The columns are nearly always in the order of the shape.
  const isGiven = (field: Field, index: number): boolean =>
    isSame(field, given[index]) || given.some((other) => isSame(field, other))
  if (wanted.length !== given.length || !wanted.every(isGiven)) throw wrongRows(shape, given, text)
}

function isSame(one: Field, other: Field | undefined): boolean {
  return other !== undefined && one.name === other.name && one.dataTypeID === other.dataTypeID
}

const FIELDS = new WeakMap<RowShape, readonly Field[]>()

/** Converts a shape to PostgreSQL's description of columns. */
function fieldsOf(shape: RowShape): readonly Field[] {
  const known = FIELDS.get(shape)
  if (known !== undefined) return known
  const fields = Object.entries(shape).map(([name, { type }]) => ({ name, dataTypeID: OID[type] }))
  FIELDS.set(shape, fields)
  return fields
}

function wrongRows(shape: RowShape, fields: readonly Field[], text: string): Error {
  const wrong = Object.entries(shape).flatMap(([name, { type }]) => {
    const field = fields.find((one) => one.name === name)
    if (field === undefined) return [`the column "${name}" is missing`]
    const given = nameOfOid(field.dataTypeID)
    return given === type ? [] : [`the column "${name}" is ${given} and not ${type}`]
  })
  const unknown = fields
    .filter(({ name }) => !Object.hasOwn(shape, name))
    .map(({ name }) => `"${name}" is not expected`)
  const findings = [...wrong, ...unknown].join('; ') || 'a column appears in it twice'
  return new Error(
    `The result of a statement does not have the expected shape: ${findings}. ${text.replaceAll(/\s+/g, ' ')}`,
  )
}

/** Makes a check that an object, such as JSON of a statement, has exactly the members of a shape. */
export function hasShape<Shape extends RowShape>(shape: Shape) {
  const columns = Object.entries(shape)
  return (value: unknown): value is RowOf<Shape> =>
    isObject(value) &&
    Object.keys(value).length === columns.length &&
    columns.every(([name, { holds }]) => holds(value[name]))
}
