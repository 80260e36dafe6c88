import type { Characteristic, DataType } from '../../../generated/import-document.ts'
import type { Json } from '../../lib/json.ts'
import type { UnionType } from '../../lib/type-text.ts'
import type { RecordBody, Report } from '../record-type.ts'
import { BOUNDARY_FIELDS, type BoundaryForm } from '../values/boundary.ts'
import type { ValueKind, ValueRules } from '../values/value.ts'

/** The fields that only some data types use, and all others ignore (specification, section 2). */
export const RULING_FIELDS = [
  'multiple',
  'options',
  'schema',
  ...BOUNDARY_FIELDS,
  'boundaryStep',
  'precision',
] as const satisfies readonly (keyof Characteristic)[]

export type RulingField = (typeof RULING_FIELDS)[number]

/** The valid fields of a characteristic. The data type decides about the other fields. */
export type TypedCharacteristic = Partial<Characteristic> & Pick<Characteristic, 'dataType'>

/**
 * How people enter a value in a form. `line`: in the form of the API; `lines`: the same, on several lines; `text`: any
 * text, even an empty one; `moment`: in local time.
 */
export type ValueInput =
  'boolean' | 'options' | 'number' | 'whole' | 'date' | 'time' | 'moment' | 'line' | 'lines' | 'text' | 'json'

/** How values are drawn: as a line, as a state that holds for a time, or as rows of a table. */
export type ValueShape = 'line' | 'state' | 'text'

/** Everything that is known about one data type. The rest is derived (see `data-type.ts`). */
export interface DataTypeDeclaration<Name extends DataType = DataType, Kind extends ValueKind = ValueKind> {
  readonly name: Name
  /** How values are stored. */
  readonly kind: Kind
  /** A description of values for the tables of the documentation, in Markdown. */
  readonly value: string
  /** The fields that the data type uses, including the boundaries if it has a form for them. */
  readonly honours: readonly RulingField[]
  /** Null if boundaries are ignored. */
  readonly boundary: BoundaryForm | null
  /** Compiles the rules for values from the canonical body of a characteristic. */
  rules(characteristic: RecordBody): ValueRules<NoInfer<Kind>>
  /** The type of the values for a client in TypeScript. */
  clientType(characteristic: RecordBody): UnionType
  /** A value that a characteristic without boundaries and schema accepts. */
  example(characteristic: RecordBody): Json
  readonly input: ValueInput
  /** The hint in a form; left out if boundaries and steps are enough. */
  readonly hint?: string
  readonly shape: ValueShape
  /** Checks the fields that this data type uses beyond the JSON Schema, except for boundaries. */
  check?(body: TypedCharacteristic, report: Report): void
  /** Checks the characteristic that will be stored, which combines fields of the document and of the platform. */
  checkStored?(body: Characteristic, report: Report): void
}

/** Declares a data type with its fields besides boundaries. The compiler checks that its rules produce its kind. */
export function declareDataType<Name extends DataType, Kind extends ValueKind>(
  declaration: DataTypeDeclaration<Name, Kind>,
): DataTypeDeclaration<Name, Kind> {
  const { boundary, honours } = declaration
  return { ...declaration, honours: boundary === null ? honours : [...BOUNDARY_FIELDS, ...honours] }
}
