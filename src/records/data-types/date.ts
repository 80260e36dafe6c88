import { readDate } from '../values/day-time.ts'
import { momentBoundary, MomentRules } from '../values/moment-rules.ts'
import { declareDataType } from './declaration.ts'

const FORM = {
  expected: 'a date such as 2026-01-31',
  read: readDate,
  boundary: momentBoundary('a date like 2026-01-31', readDate),
}

export const DATE = declareDataType({
  name: 'DATE',
  kind: 'text',
  value: 'a date: `2026-03-01`',
  honours: [],
  boundary: FORM.boundary,
  rules: (characteristic) => new MomentRules(FORM, characteristic),
  clientType: () => ({ union: ['string'] }),
  example: () => '2026-01-31',
  input: 'date',
  shape: 'text',
})
