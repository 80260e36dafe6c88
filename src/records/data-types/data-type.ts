import type { Characteristic, DataType } from '../../../generated/import-document.ts'
import type { Json } from '../../lib/json.ts'
import type { RecordBody } from '../record-type.ts'
import { BOUNDARY_FIELDS, limitIn, type Boundary, type BoundaryField } from '../values/boundary.ts'
import type { ValueKind, ValueRules } from '../values/value.ts'
import { isViolation } from '../values/violation.ts'
import type { DataTypeDeclaration, RulingField } from './declaration.ts'
import * as declared from './declared.ts'

/** The declaration of each data type, in alphabetical order. */
export const DATA_TYPE_DECLARATIONS: { readonly [name in DataType]: DataTypeDeclaration<name> } = declared

/** The declaration for the canonical body of a characteristic. Throws for every other body. */
export function dataTypeOf({ dataType }: { readonly [field: string]: unknown }): DataTypeDeclaration {
  if (isDataType(dataType)) return DATA_TYPE_DECLARATIONS[dataType]
  throw new Error(`no characteristic has the dataType ${JSON.stringify(dataType)}`)
}

export function isDataType(name: unknown): name is DataType {
  return typeof name === 'string' && Object.hasOwn(declared, name)
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

export function honours({ honours: fields, boundary }: DataTypeDeclaration, field: RulingField): boolean {
  return isBoundaryField(field) ? boundary !== null : fields.includes(field)
}

function isBoundaryField(field: RulingField): field is BoundaryField {
  return BOUNDARY_FIELDS.some((name) => name === field)
}

export function canonicalBoundary(value: Json, { dataType }: Characteristic): Json {
  return DATA_TYPE_DECLARATIONS[dataType].boundary?.canonical?.(value) ?? value
}

/**
 * A boundary that values are held to; null where there is none. The specification takes any text and number for one, also
 * such that say nothing about values of the data type.
 */
export function enforcedBoundary(characteristic: RecordBody, field: BoundaryField): Boundary | null {
  const { dataType, [field]: value = null } = characteristic
  const form = isDataType(dataType) ? DATA_TYPE_DECLARATIONS[dataType].boundary : null
  if (form === null || limitIn(form, characteristic, field) === null) return null
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** A value that the characteristic accepts, as far as its boundaries tell. */
export function exampleOf(characteristic: RecordBody): Json {
  const example = dataTypeOf(characteristic).example(characteristic)
  const [least, most] = BOUNDARY_FIELDS.map((field) => enforcedBoundary(characteristic, field))
  if (least === null && most === null) return example
  const rules = compileRules(characteristic)
  return [least, example, most].find((value) => value != null && !isViolation(rules.accept(value))) ?? example
}
