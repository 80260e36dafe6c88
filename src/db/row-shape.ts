import { isObject } from '../lib/json.ts'
import type { Column } from './columns.ts'
import { nameOfOid, OID } from './values.ts'

/** The columns of a result by their names: `{ uuid: UUID, name: TEXT, seenAt: nullable(TIMESTAMPTZ) }`. */
export interface RowShape {
  readonly [column: string]: Column<unknown>
}

/** The type of the rows that have a shape. */
export type RowOf<Shape extends RowShape> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Column<infer Value> ? Value : never
}

/** The shape of the rows that have a type. */
export type ShapeOf<Row extends object> = { readonly [Name in keyof Row]: Column<Row[Name]> }

/** PostgreSQL's description of one column of a result; both drivers pass it on in this form. */
export interface Field {
  readonly name: string
  readonly dataTypeID: number
}

/** The result of a statement from a driver. */
export interface Result {
  readonly rows: object[]
  readonly fields: readonly Field[]
}

/** The rows of a statement as a shape says they are, after the statement was found to give them so. */
export function toRows<Row extends object>(shape: ShapeOf<Row>, { rows, fields }: Result, text: string): Row[] {
  checkFields(shape, fields, text)
  return rows as Row[]
}

/**
 * Compares the shape that a statement is read with to the columns that PostgreSQL gave. It costs less than a
 * microsecond a statement and nothing a row, so it is done every time: another process may change the database while
 * this one runs. The error is a plain one, of which clients see nothing.
 */
function checkFields(shape: RowShape, given: readonly Field[], text: string): void {
  const wanted = fieldsOf(shape)
  // Nearly always the columns stand in the order of the shape.
  const isGiven = (field: Field, index: number): boolean =>
    isSame(field, given[index]) || given.some((other) => isSame(field, other))
  if (wanted.length !== given.length || !wanted.every(isGiven)) throw wrongRows(shape, given, text)
}

function isSame(one: Field, other: Field | undefined): boolean {
  return other !== undefined && one.name === other.name && one.dataTypeID === other.dataTypeID
}

const FIELDS = new WeakMap<RowShape, readonly Field[]>()

/** The columns of a shape in the form in which PostgreSQL tells those of a result. */
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

/** Whether an object, such as one that a statement builds as JSON, has exactly the members of a shape. */
export function hasShape<Shape extends RowShape>(shape: Shape) {
  const columns = Object.entries(shape)
  return (value: unknown): value is RowOf<Shape> =>
    isObject(value) &&
    Object.keys(value).length === columns.length &&
    columns.every(([name, { holds }]) => holds(value[name]))
}
