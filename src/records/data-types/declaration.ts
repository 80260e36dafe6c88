import type { Characteristic, DataType } from '../../../generated/import-document.ts'
import type { Json } from '../../lib/json.ts'
import type { RecordBody, Report } from '../record-type.ts'
import { BOUNDARY_FIELDS, type BoundaryForm } from '../values/boundary.ts'
import type { ValueKind, ValueRules } from '../values/value.ts'

/** The fields that some data types honour and all others ignore (specification, section 2). */
export const RULING_FIELDS = [
  'multiple',
  'options',
  'schema',
  ...BOUNDARY_FIELDS,
  'boundaryStep',
  'precision',
] as const satisfies readonly (keyof Characteristic)[]

export type RulingField = (typeof RULING_FIELDS)[number]

/** The valid fields of a characteristic, with the data type that decides about the others. */
export type TypedCharacteristic = Partial<Characteristic> & Pick<Characteristic, 'dataType'>

/**
 * How people give a value in a form. `line`: as it is sent; `lines`: the same, of any length; `text`: any text, also an
 * empty one; `moment`: by the clock of the person.
 */
export type ValueInput =
  'boolean' | 'options' | 'number' | 'whole' | 'date' | 'time' | 'moment' | 'line' | 'lines' | 'text' | 'json'

/** How values are drawn: as a line, as a state that holds for a time, or as rows of a table. */
export type ValueShape = 'line' | 'state' | 'text'

/** Everything that Holdfast knows about one data type. The rest is derived (see `data-type.ts`). */
export interface DataTypeDeclaration<Name extends DataType = DataType, Kind extends ValueKind = ValueKind> {
  readonly name: Name
  /** How values are stored. */
  readonly kind: Kind
  /** A value in words, for the tables of the documentation, in Markdown. */
  readonly value: string
  /** The fields that it honours, the boundaries among them where it has a form for them. */
  readonly honours: readonly RulingField[]
  /** Null if boundaries are ignored. */
  readonly boundary: BoundaryForm | null
  /** Compiles the rules for values from the canonical body of a characteristic. */
  rules(characteristic: RecordBody): ValueRules<NoInfer<Kind>>
  /** A value that a characteristic without boundaries and schema accepts. */
  example(characteristic: RecordBody): Json
  readonly input: ValueInput
  /** The hint in a form; left out if the boundaries and steps of the characteristic say enough. */
  readonly hint?: string
  readonly shape: ValueShape
  /** Checks what the JSON Schema cannot express about the fields that this data type honours, except for boundaries. */
  check?(body: TypedCharacteristic, report: Report): void
  /** Checks the characteristic that will be stored, whether its fields come from the document or from the platform. */
  checkStored?(body: Characteristic, report: Report): void
}

/**
 * Declares a data type with the fields that it honours besides boundaries. The compiler checks that its rules make values
 * of its kind.
 */
export function declareDataType<Name extends DataType, Kind extends ValueKind>(
  declaration: DataTypeDeclaration<Name, Kind>,
): DataTypeDeclaration<Name, Kind> {
  const { boundary, honours } = declaration
  return { ...declaration, honours: boundary === null ? honours : [...BOUNDARY_FIELDS, ...honours] }
}
