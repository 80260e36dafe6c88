import type { Json } from '../../lib/json.ts'
import type { RecordBody } from '../record-type.ts'
import type { BoundaryForm } from '../values/boundary.ts'
import { NumberRules, warnAboutStep } from '../values/number-rules.ts'
import type { StoredValue, ValueRules } from '../values/value.ts'
import { refuseType, type Violation } from '../values/violation.ts'
import { canonicalWhole, comparableNumber } from '../whole-number.ts'
import { declareDataType } from './declaration.ts'

const LIMIT: BoundaryForm<number | bigint> = {
  says: 'a number',
  read: comparableNumber,
  isAbove: (one, other) => one > other,
  canonical: canonicalWhole,
  isWhole: true,
}

const LEAST_INT8 = -(2n ** 63n)
const GREATEST_INT8 = 2n ** 63n - 1n
/** Allows two more digits than fit, so that the message can say that the number is too large. */
const DECIMAL = /^(?:0|-?[1-9]\d{0,20})$/

class IntegerRules extends NumberRules implements ValueRules<'integer'> {
  readonly kind = 'integer'

  accept(value: unknown): number | bigint | Violation {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? this.#checkSafe(value) : refuseNumber(value)
    if (typeof value === 'bigint') return this.#checkBig(value)
    if (typeof value !== 'string' || !DECIMAL.test(value)) return refuseType(value, EXPECTED)
    const whole = BigInt(value)
    if (isSafe(whole)) return refuseType(value, 'a number, for it is not beyond 2^53')
    return this.#checkBig(whole)
  }

  show(stored: StoredValue): Json {
    return typeof stored === 'bigint' ? String(stored) : stored
  }

  #checkSafe(value: number): number | Violation {
    // Adding 0 converts -0 to 0, because a 64-bit integer has no -0.
    return this.check(value) ?? value + 0
  }

  #checkBig(value: bigint): number | bigint | Violation {
    if (isSafe(value)) return this.#checkSafe(Number(value))
    if (value < LEAST_INT8 || value > GREATEST_INT8) {
      return { code: 'out-of-bounds', detail: `${value} does not fit into 64 bits, including the sign` }
    }
    return this.check(value) ?? value
  }
}

const EXPECTED = 'a whole number, as a decimal string if it is beyond 2^53'

function refuseNumber(value: number): Violation {
  if (!Number.isInteger(value)) return refuseType(value, EXPECTED)
  const detail = `a number beyond 2^53 is rounded on its way; send it as a decimal string such as "9007199254740993"`
  return { code: 'wrong-type', detail }
}

function isSafe(value: bigint): boolean {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER)
}

/** Tells whether the boundaries exclude all values that are texts, because they are beyond 2^53. */
function staysSafe({ boundaryMin, boundaryMax }: RecordBody): boolean {
  return [boundaryMin, boundaryMax].every((boundary) => {
    const limit = boundary === undefined ? null : comparableNumber(boundary)
    return typeof limit === 'number' && Math.abs(limit) <= Number.MAX_SAFE_INTEGER
  })
}

/** A signed 64-bit integer. The JSON parser rounds numbers beyond 2^53, so these must be strings. */
export const INTEGER = declareDataType({
  name: 'INTEGER',
  kind: 'integer',
  value: 'a whole number of 64 bits; beyond 2^53 best as its decimal string',
  honours: ['boundaryStep'],
  boundary: LIMIT,
  rules: (characteristic) => new IntegerRules(LIMIT, characteristic),
  clientType: (characteristic) => ({ union: staysSafe(characteristic) ? ['number'] : ['number', 'string'] }),
  example: () => 20,
  input: 'whole',
  shape: 'line',
  check({ boundaryStep: step }, report) {
    const flaw = 'of an INTEGER is no whole number, and only the whole numbers on it are allowed'
    if (typeof step === 'number') warnAboutStep(step, report, Number.isInteger(step) ? null : flaw)
  },
})
