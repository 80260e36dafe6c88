import type { Characteristic, DataType } from '../../../generated/import-document.ts'
import type { Json } from '../../lib/json.ts'
import type { RecordBody } from '../record-type.ts'
import { BOUNDARY_FIELDS, type Boundary, type BoundaryField } from '../values/boundary.ts'
import type { ValueKind, ValueRules } from '../values/value.ts'
import { isViolation } from '../values/violation.ts'
import type { DataTypeDeclaration } from './declaration.ts'
import * as declared from './declared.ts'

/** The declaration of each data type, in alphabetical order. */
export const DATA_TYPE_DECLARATIONS: { readonly [name in DataType]: DataTypeDeclaration<name> } = declared

const BY_NAME = new Map<unknown, DataTypeDeclaration>(Object.entries(DATA_TYPE_DECLARATIONS))

/** The declaration of a data type; undefined if a document or a query names none that exists. */
export function declarationOf(dataType: unknown): DataTypeDeclaration | undefined {
  return BY_NAME.get(dataType)
}

/** The declaration for the canonical body of a characteristic. Throws for every other body. */
export function dataTypeOf({ dataType }: RecordBody): DataTypeDeclaration {
  const declaration = declarationOf(dataType)
  if (declaration !== undefined) return declaration
  throw new Error(`no characteristic has the dataType ${JSON.stringify(dataType)}`)
}

/**
 * Compiles the rules for the values of a characteristic from its canonical body. No value is converted to fit.
 */
export function compileRules(characteristic: RecordBody): ValueRules {
  return dataTypeOf(characteristic).rules(characteristic)
}

/** The kind of value that is stored for a characteristic; it follows from the dataType alone, without the other rules. */
export function kindOf(characteristic: RecordBody): ValueKind {
  return dataTypeOf(characteristic).kind
}

/** The dataType for values of a kind where the characteristic has another one now. All texts are stored alike. */
export const TYPE_OF_KIND: { readonly [kind in ValueKind]: DataType } = {
  float: 'FLOAT',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  text: 'STRING',
}

export function canonicalBoundary(value: Json, { dataType }: Characteristic): Json {
  return declarationOf(dataType)?.boundary?.canonical?.(value) ?? value
}

/**
 * A boundary that values are held to; null if there is none. The specification takes any text and number for one, also
 * such that say nothing about values of the data type.
 */
export function enforcedBoundary(characteristic: RecordBody, field: BoundaryField): Boundary | null {
  const { dataType, [field]: value } = characteristic
  const form = declarationOf(dataType)?.boundary
  return (typeof value === 'string' || typeof value === 'number') && form?.read(value) != null ? value : null
}

/** A value that the characteristic accepts, as far as its boundaries tell. */
export function exampleOf(characteristic: RecordBody): Json {
  const example = dataTypeOf(characteristic).example(characteristic)
  const [least, most] = BOUNDARY_FIELDS.map((field) => enforcedBoundary(characteristic, field))
  if (least === null && most === null) return example
  const rules = compileRules(characteristic)
  return [least, example, most].find((value) => value != null && !isViolation(rules.accept(value))) ?? example
}
