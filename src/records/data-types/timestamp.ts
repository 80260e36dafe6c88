import { withoutTrailing } from '../../lib/without-trailing.ts'
import { canonicalInstant, instantFlaw, isInstant } from '../instant.ts'
import { instantText, readInstant } from '../values/day-time.ts'
import { momentBoundary, MomentRules } from '../values/moment-rules.ts'
import type { Violation } from '../values/violation.ts'
import { isWireTime } from '../values/wire-time.ts'
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
    if (!isWireTime(value)) return super.accept(value)
    const fraction = withoutTrailing(String(value.nanoseconds).padStart(9, '0'), '0')
    return super.accept(instantText({ seconds: value.seconds, fraction }) ?? value.seconds)
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
  clientType: () => ({ union: ['string'] }),
  example: () => '2026-01-31T12:00:00Z',
  input: 'moment',
  shape: 'text',
})
