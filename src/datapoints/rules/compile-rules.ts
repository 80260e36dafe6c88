import type { DataType } from '../../../generated/import-document.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { JsonRules } from './json-rules.ts'
import { dataTypeOf } from './kind-of.ts'
import { MomentRules } from './moment-rules.ts'
import { FloatRules, IntegerRules } from './number-rules.ts'
import { BlobRules, BooleanRules, MultipleSelectRules, SelectRules, StringRules, TimespanRules } from './text-rules.ts'
import type { ValueRules } from './value.ts'

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
