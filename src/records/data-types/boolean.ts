import type { Json } from '../../lib/json.ts'
import type { StoredValue, ValueRules } from '../values/value.ts'
import { refuseType } from '../values/violation.ts'
import { declareDataType } from './declaration.ts'

const RULES: ValueRules<'boolean'> = {
  kind: 'boolean',
  accept: (value) => (typeof value === 'boolean' ? value : refuseType(value, 'true or false')),
  show: (stored: StoredValue): Json => stored as boolean,
}

export const BOOLEAN = declareDataType({
  name: 'BOOLEAN',
  kind: 'boolean',
  value: 'true or false',
  honours: [],
  boundary: null,
  rules: () => RULES,
  clientType: () => ({ union: ['boolean'] }),
  example: () => true,
  input: 'boolean',
  shape: 'state',
})
