import type { RecordBody } from '../records/record-type.ts'
import type { Json } from '../lib/json.ts'
import { DecimalGrid } from './decimal-grid.ts'
import type { StoredValue, ValueRules } from './value.ts'
import { refuseType, shown, type Violation } from './violation.ts'

const LEAST_INT8 = -(2n ** 63n)
const GREATEST_INT8 = 2n ** 63n - 1n
const DECIMAL = /^(?:0|-?[1-9]\d{0,18})$/

/** FLOAT: a finite double. */
export class FloatRules implements ValueRules {
  readonly kind = 'float'
  readonly #bounds: Bounds
  readonly #precision: number
  readonly #decimals: DecimalGrid | null

  constructor(characteristic: RecordBody) {
    const precision = numberField(characteristic, 'precision')
    this.#bounds = new Bounds(characteristic)
    this.#precision = precision ?? 0
    this.#decimals = precision === null ? null : new DecimalGrid(Number(`1e-${precision}`))
  }

  accept(value: unknown): number | Violation {
    // MessagePack has whole numbers beyond 2^53; JSON.parse rounds the same literal in the same way.
    if (typeof value === 'bigint') return this.accept(Number(value))
    if (typeof value !== 'number' || !Number.isFinite(value)) return refuseType(value, 'a finite number')
    if (this.#decimals !== null && !this.#decimals.has(value)) {
      const detail = `${value} has more digits after the point than the precision of ${this.#precision} allows`
      return { code: 'too-precise', detail }
    }
    return this.#bounds.check(value) ?? value
  }

  show(stored: StoredValue): Json {
    return stored as number
  }
}

/** INTEGER: 64 bits with sign. Beyond 2^53 a JSON number has been rounded before anyone could look at it. */
export class IntegerRules implements ValueRules {
  readonly kind = 'integer'
  readonly #bounds: Bounds

  constructor(characteristic: RecordBody) {
    this.#bounds = new Bounds(characteristic)
  }

  accept(value: unknown): number | bigint | Violation {
    if (typeof value === 'number') return Number.isSafeInteger(value) ? this.#check(value) : refuseNumber(value)
    if (typeof value === 'bigint') return this.#checkBig(value)
    if (typeof value !== 'string' || !DECIMAL.test(value)) return refuseType(value, EXPECTED)
    const whole = BigInt(value)
    if (isSafe(whole)) return refuseType(value, 'a number, for it is not beyond 2^53')
    return this.#checkBig(whole)
  }

  show(stored: StoredValue): Json {
    return typeof stored === 'bigint' ? String(stored) : (stored as number)
  }

  #check(value: number): number | Violation {
    // A sum with 0 makes 0 of -0, which a 64-bit integer does not have.
    return this.#bounds.check(value) ?? value + 0
  }

  #checkBig(value: bigint): number | bigint | Violation {
    if (isSafe(value)) return this.#check(Number(value))
    if (value < LEAST_INT8 || value > GREATEST_INT8) {
      return { code: 'out-of-bounds', detail: `${value} does not fit into 64 bits` }
    }
    return this.#bounds.check(value) ?? value
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

/** boundaryMin, boundaryMax and boundaryStep; steps count from boundaryMin, or from 0 where there is none. */
class Bounds {
  readonly #min: number
  readonly #max: number
  readonly #step: number
  readonly #grid: DecimalGrid | null

  constructor(characteristic: RecordBody) {
    const min = numberField(characteristic, 'boundaryMin')
    this.#min = min ?? -Infinity
    this.#max = numberField(characteristic, 'boundaryMax') ?? Infinity
    this.#step = numberField(characteristic, 'boundaryStep') ?? 0
    this.#grid = this.#step > 0 ? new DecimalGrid(this.#step, min ?? 0) : null
  }

  check(value: number | bigint): Violation | null {
    if (value < this.#min) return { code: 'out-of-bounds', detail: `${value} is below boundaryMin (${this.#min})` }
    if (value > this.#max) return { code: 'out-of-bounds', detail: `${value} is above boundaryMax (${this.#max})` }
    if (this.#grid === null) return null
    const fits = typeof value === 'bigint' ? this.#grid.hasWhole(value) : this.#grid.has(value)
    return fits ? null : this.#offStep(value)
  }

  #offStep(value: number | bigint): Violation {
    const from = this.#min === -Infinity ? 0 : this.#min
    return { code: 'off-step', detail: `${shown(value)} is not on a step of ${this.#step} counted from ${from}` }
  }
}

function numberField(characteristic: RecordBody, field: string): number | null {
  const value = characteristic[field]
  return typeof value === 'number' ? value : null
}
