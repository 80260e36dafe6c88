import type { DataType } from '../../../generated/import-document.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { JsonRules } from './json-rules.ts'
import { MomentRules } from './moment-rules.ts'
import { FloatRules, IntegerRules } from './number-rules.ts'
import { BlobRules, BooleanRules, MultipleSelectRules, SelectRules, StringRules, TimespanRules } from './text-rules.ts'
import type { ValueRules, ValueKind } from './value.ts'

const RULES: { readonly [dataType in DataType]: (characteristic: RecordBody) => ValueRules } = {
  BLOB: () => new BlobRules(),
  BOOLEAN: () => new BooleanRules(),
  DATE: (characteristic) => new MomentRules('DATE', characteristic),
  FLOAT: (characteristic) => new FloatRules(characteristic),
  INTEGER: (characteristic) => new IntegerRules(characteristic),
  JSON: (characteristic) => new JsonRules(characteristic),
  SELECT: (characteristic) =>
    characteristic['multiple'] === true ? new MultipleSelectRules(characteristic) : new SelectRules(characteristic),
  STRING: () => new StringRules(),
  TIME: (characteristic) => new MomentRules('TIME', characteristic),
  TIMESPAN: () => new TimespanRules(),
  TIMESTAMP: (characteristic) => new MomentRules('TIMESTAMP', characteristic),
}

/**
 * Compiles the rules for the values of a characteristic from its canonical body. No value is converted to fit.
 */
export function compileRules(characteristic: RecordBody): ValueRules {
  return RULES[dataTypeOf(characteristic)](characteristic)
}

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
