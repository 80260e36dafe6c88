import type { RecordBody } from '../../records/record-type.ts'
import type { ValueKind } from './value.ts'

const KINDS: { readonly [dataType: string]: ValueKind } = { FLOAT: 'float', INTEGER: 'integer', BOOLEAN: 'boolean' }

/** The kind of values that is stored for a characteristic. It follows from the dataType alone. */
export function kindOf({ dataType }: RecordBody): ValueKind {
  return KINDS[String(dataType)] ?? 'text'
}
