import { readTimeOfDay, readTimeSpan } from '../values/day-time.ts'
import { momentBoundary, MomentRules } from '../values/moment-rules.ts'
import { declareDataType } from './declaration.ts'

const FORM = {
  expected: 'a time such as 06:30:00, 06:30:00.250 or 06:30:00+02:00',
  read: readTimeOfDay,
  boundary: momentBoundary(
    'a time like 06:30:00 or 06:30:00+02:00, or the duration since midnight like PT6H30M',
    (text) => readTimeOfDay(text) ?? readTimeSpan(text),
  ),
}

export const TIME = declareDataType({
  name: 'TIME',
  kind: 'text',
  value: 'a time of day, with `Z` or an offset or without: `06:30:00.5`, `06:30:00+02:00`',
  honours: [],
  boundary: FORM.boundary,
  rules: (characteristic) => new MomentRules(FORM, characteristic),
  clientType: () => ({ union: ['string'] }),
  example: () => '12:00:00',
  input: 'time',
  shape: 'text',
})
