import { withoutTrailing } from '../../lib/without-trailing.ts'
import { canonicalInstant, instantFlaw, isInstant } from '../instant.ts'
import { readInstant } from '../values/day-time.ts'
import { momentBoundary, MomentRules } from '../values/moment-rules.ts'
import type { Violation } from '../values/violation.ts'
import { isWireTime, type WireTime } from '../values/wire-time.ts'
import { declareDataType } from './declaration.ts'

const FORM = {
  expected: 'a date-time with offset such as 2026-01-31T06:30:00Z',
  read: readInstant,
  boundary: momentBoundary('a date-time with offset like 2026-01-31T06:30:00Z', (text) =>
    isInstant(text) ? readInstant(text) : null,
  ),
}

class TimestampRules extends MomentRules {
  override accept(value: unknown): string | Violation {
    return super.accept(isWireTime(value) ? (instantText(value) ?? value.seconds) : value)
  }
}

export const TIMESTAMP = declareDataType({
  name: 'TIMESTAMP',
  kind: 'text',
  value: 'a date-time of RFC 3339: `2026-03-01T06:30:00Z`',
  honours: [],
  boundary: {
    ...FORM.boundary,
    flaw: (boundary) => instantFlaw(String(boundary)),
    canonical: (boundary) => (typeof boundary === 'string' ? canonicalInstant(boundary) : boundary),
  },
  rules: (characteristic) => new TimestampRules(FORM, characteristic),
  example: () => '2026-01-31T12:00:00Z',
  input: 'moment',
  hint: null,
  shape: 'text',
})

const YEAR_0 = -62_167_219_200
const YEAR_10000 = 253_402_300_800

/** The time as text; null outside of the years 0000 to 9999, which are all that RFC 3339 knows. */
function instantText({ seconds, nanoseconds }: WireTime): string | null {
  if (seconds < YEAR_0 || seconds >= YEAR_10000) return null
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19)
  const fraction = withoutTrailing(String(nanoseconds).padStart(9, '0'), '0')
  return `${whole}${fraction === '' ? '' : `.${fraction}`}Z`
}
