import type { Json } from '../../lib/json.ts'
import type { Report } from '../record-type.ts'
import type { BoundaryForm } from '../values/boundary.ts'
import { NumberRules, warnAboutStep } from '../values/number-rules.ts'
import type { StoredValue, ValueRules } from '../values/value.ts'
import { refuseType, type Violation } from '../values/violation.ts'
import { declareDataType } from './declaration.ts'

const LIMIT: BoundaryForm<number> = {
  says: 'a number',
  read: (boundary) => (typeof boundary === 'number' ? boundary : null),
  isAbove: (one, other) => one > other,
}

class FloatRules extends NumberRules implements ValueRules<'float'> {
  readonly kind = 'float'

  accept(value: unknown): number | Violation {
    // MessagePack has integers beyond 2^53. They are rounded like the same literal in JSON.parse.
    if (typeof value === 'bigint') return this.accept(Number(value))
    if (typeof value !== 'number' || !Number.isFinite(value)) return refuseType(value, 'a finite number')
    return this.check(value) ?? value
  }

  show(stored: StoredValue): Json {
    return stored as number
  }
}

/** A finite double. `precision` is the number of displayed decimals. It rejects no values. */
export const FLOAT = declareDataType({
  name: 'FLOAT',
  kind: 'float',
  value: 'a number; a float32 of MessagePack is its shortest decimal',
  honours: ['boundaryStep', 'precision'],
  boundary: LIMIT,
  rules: (characteristic) => new FloatRules(LIMIT, characteristic),
  clientType: () => ({ union: ['number'] }),
  example: () => 20,
  input: 'number',
  shape: 'line',
  check({ boundaryStep, precision }, report) {
    if (typeof boundaryStep === 'number') warnAboutStep(boundaryStep, report)
    if (typeof precision === 'number') warnAboutPrecision(precision, report)
  },
})

function warnAboutPrecision(precision: number, report: Report): void {
  if (shownDecimals(precision) === precision) return
  const message = `precision is a number of decimals from 0 to ${MOST_DECIMALS}: ${precision} is shown as ${shownDecimals(precision)}`
  report('warning', 'precision-range', ['precision'], message)
}

/** The maximum number of meaningful decimals of a double. */
const MOST_DECIMALS = 15

/** The number of decimals that are shown for this precision. */
export function shownDecimals(precision: number): number {
  return Math.min(Math.max(precision, 0), MOST_DECIMALS)
}
