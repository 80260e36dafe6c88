import type { RecordBody } from '../../records/record-type.ts'
import { JsonRules } from './json-rules.ts'
import { MomentRules } from './moment-rules.ts'
import { FloatRules, IntegerRules } from './number-rules.ts'
import { BlobRules, BooleanRules, MultipleSelectRules, SelectRules, StringRules, TimespanRules } from './text-rules.ts'
import type { ValueRules } from './value.ts'

/** What the values of a characteristic may be, from its canonical body. Nothing is coerced (contract, section 4). */
export function compileRules(characteristic: RecordBody): ValueRules {
  const { dataType } = characteristic
  switch (dataType) {
    case 'BLOB':
      return new BlobRules()
    case 'BOOLEAN':
      return new BooleanRules()
    case 'FLOAT':
      return new FloatRules(characteristic)
    case 'INTEGER':
      return new IntegerRules(characteristic)
    case 'JSON':
      return new JsonRules(characteristic)
    case 'SELECT':
      return characteristic['multiple'] === true
        ? new MultipleSelectRules(characteristic)
        : new SelectRules(characteristic)
    case 'STRING':
      return new StringRules()
    case 'TIMESPAN':
      return new TimespanRules()
    case 'DATE':
    case 'TIME':
    case 'TIMESTAMP':
      return new MomentRules(dataType, characteristic)
    default:
      throw new Error(`no characteristic has the dataType ${JSON.stringify(dataType)}`)
  }
}
