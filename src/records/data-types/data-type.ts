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

/** The declaration of a data type; undefined if there is no such type. */
export function declarationOf(dataType: unknown): DataTypeDeclaration | undefined {
  return BY_NAME.get(dataType)
}

/** The declaration for the canonical body of a characteristic. Throws for any other body. */
export function dataTypeOf({ dataType }: RecordBody): DataTypeDeclaration {
  const declaration = declarationOf(dataType)
  if (declaration !== undefined) return declaration
  throw new Error(`no characteristic has the dataType ${JSON.stringify(dataType)}`)
}

/** Compiles the rules for the values of a characteristic from its canonical body. Values are never converted. */
export function compileRules(characteristic: RecordBody): ValueRules {
  return dataTypeOf(characteristic).rules(characteristic)
}

/** The kind of the stored values of a characteristic. It depends only on the dataType. */
export function kindOf(characteristic: RecordBody): ValueKind {
  return dataTypeOf(characteristic).kind
}

/** The dataType that shows values of a kind if the characteristic has another one now. All texts share one kind. */
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
 * The boundary that limits values; null if there is none. The specification allows any text or number as a boundary,
 * even if values of the data type cannot be compared with it.
 */
export function enforcedBoundary(characteristic: RecordBody, field: BoundaryField): Boundary | null {
  const { dataType, [field]: value } = characteristic
  const form = declarationOf(dataType)?.boundary
  return (typeof value === 'string' || typeof value === 'number') && form?.read(value) != null ? value : null
}

/** A value that satisfies the boundaries of the characteristic. */
export function exampleOf(characteristic: RecordBody): Json {
  const example = dataTypeOf(characteristic).example(characteristic)
  const [least, most] = BOUNDARY_FIELDS.map((field) => enforcedBoundary(characteristic, field))
  if (least === null && most === null) return example
  const rules = compileRules(characteristic)
  return [least, example, most].find((value) => value != null && !isViolation(rules.accept(value))) ?? example
}
