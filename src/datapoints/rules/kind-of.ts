import type { RecordBody } from '../../records/record-type.ts'
import type { ValueKind } from './value.ts'

const KINDS: { readonly [dataType: string]: ValueKind } = { FLOAT: 'float', INTEGER: 'integer', BOOLEAN: 'boolean' }

/** The kind of value that is stored for a characteristic; it follows from the dataType alone, without the other rules. */
export function kindOf({ dataType }: RecordBody): ValueKind {
  return KINDS[String(dataType)] ?? 'text'
}
