import type { DataType } from '../../../generated/import-document.ts'
import type { RecordBody } from '../../records/record-type.ts'
import type { ValueKind } from './value.ts'

const KINDS: { readonly [dataType in DataType]: ValueKind } = {
  BLOB: 'text',
  BOOLEAN: 'boolean',
  DATE: 'text',
  FLOAT: 'float',
  INTEGER: 'integer',
  JSON: 'text',
  SELECT: 'text',
  STRING: 'text',
  TIME: 'text',
  TIMESPAN: 'text',
  TIMESTAMP: 'text',
}

/** The kind of value that is stored for a characteristic; it follows from the dataType alone, without the other rules. */
export function kindOf(characteristic: RecordBody): ValueKind {
  return KINDS[dataTypeOf(characteristic)]
}

/** Throws for a body that is not the canonical one of a characteristic. */
export function dataTypeOf({ dataType }: RecordBody): DataType {
  if (isDataType(dataType)) return dataType
  throw new Error(`no characteristic has the dataType ${JSON.stringify(dataType)}`)
}

function isDataType(value: unknown): value is DataType {
  return typeof value === 'string' && Object.hasOwn(KINDS, value)
}
