import { textRules } from '../values/text-rules.ts'
import { refuseType, type Violation } from '../values/violation.ts'
import { declareDataType } from './declaration.ts'

/** An ISO 8601 duration, stored as it was written. */
export const TIMESPAN = declareDataType({
  name: 'TIMESPAN',
  kind: 'text',
  value: 'a duration of ISO 8601: `PT1H30M`',
  honours: [],
  boundary: null,
  rules: () => textRules(acceptDuration),
  clientType: () => ({ union: ['string'] }),
  example: () => 'PT5M',
  input: 'line',
  hint: 'A duration such as PT15M or P1D.',
  shape: 'text',
})

const LONGEST = 100
const AMOUNT = String.raw`(\d+(?:[.,]\d+)?`
const DURATION = new RegExp(
  `^P(?=[\\dT])${AMOUNT}Y)?${AMOUNT}M)?${AMOUNT}W)?${AMOUNT}D)?(T(?=\\d)${AMOUNT}H)?${AMOUNT}M)?${AMOUNT}S)?)?$`,
)
/** Only the smallest unit may have a fraction. */
const EARLY_FRACTION = /[.,]\d+[A-Z].*\d/

function acceptDuration(value: unknown): string | Violation {
  const fits =
    typeof value === 'string' && value.length <= LONGEST && DURATION.test(value) && !EARLY_FRACTION.test(value)
  return fits ? value : refuseType(value, 'an ISO 8601 duration such as P1DT2H30M or PT0.5S')
}
