import { enforcedBoundary } from '../../records/characteristics/boundaries.ts'
import type { RecordBody } from '../../records/record-type.ts'
import type { Json } from '../../lib/json.ts'
import { DecimalGrid } from './decimal-grid.ts'
import type { StoredValue, ValueRules } from './value.ts'
import { refuseType, shown, type Violation } from '../wire/violation.ts'

const LEAST_INT8 = -(2n ** 63n)
const GREATEST_INT8 = 2n ** 63n - 1n
/** Two digits more than fit, so that it is said that a number is too large, and not that it is none. */
const DECIMAL = /^(?:0|-?[1-9]\d{0,20})$/

/** FLOAT: a finite double. `precision` is the number of decimals that are shown, and refuses no value. */
export class FloatRules implements ValueRules {
  readonly kind = 'float'
  readonly #bounds: Bounds

  constructor(characteristic: RecordBody) {
    this.#bounds = new Bounds(characteristic)
  }

  accept(value: unknown): number | Violation {
    // MessagePack has whole numbers beyond 2^53. They are rounded as JSON.parse rounds the same literal.
    if (typeof value === 'bigint') return this.accept(Number(value))
    if (typeof value !== 'number' || !Number.isFinite(value)) return refuseType(value, 'a finite number')
    return this.#bounds.check(value) ?? value
  }

  judgeRange(least: number | bigint, most: number | bigint): 'accepted' | 'refused' | null {
    return this.#bounds.judgeRange(least, most)
  }

  show(stored: StoredValue): Json {
    return stored as number
  }
}

/** INTEGER: 64 bits with sign. A JSON number beyond 2^53 was rounded by the parser, so it must come as a string. */
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

  judgeRange(least: number | bigint, most: number | bigint): 'accepted' | 'refused' | null {
    return this.#bounds.judgeRange(least, most)
  }

  show(stored: StoredValue): Json {
    return typeof stored === 'bigint' ? String(stored) : stored
  }

  #check(value: number): number | Violation {
    // Adding 0 turns -0, which a 64-bit integer does not have, into 0.
    return this.#bounds.check(value) ?? value + 0
  }

  #checkBig(value: bigint): number | bigint | Violation {
    if (isSafe(value)) return this.#check(Number(value))
    if (value < LEAST_INT8 || value > GREATEST_INT8) {
      return { code: 'out-of-bounds', detail: `${value} does not fit into 64 bits, including the sign` }
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

/**
 * The rules boundaryMin, boundaryMax and boundaryStep. Steps are counted from 0, as the specification says, and from
 * boundaryMin, which devices with an offset do: whatever is on one of them is a value.
 */
class Bounds {
  /** A bigint beyond 2^53. JavaScript compares numbers and bigints exactly. */
  readonly #min: number | bigint
  readonly #max: number | bigint
  readonly #step: number
  readonly #grid: DecimalGrid | null
  /** The steps from boundaryMin, where it is a number. */
  readonly #fromMin: DecimalGrid | null

  constructor(characteristic: RecordBody) {
    const min = boundaryField(characteristic, 'boundaryMin')
    this.#min = min ?? -Infinity
    this.#max = boundaryField(characteristic, 'boundaryMax') ?? Infinity
    this.#step = numberField(characteristic, 'boundaryStep') ?? 0
    this.#grid = this.#step > 0 ? new DecimalGrid(this.#step) : null
    this.#fromMin = this.#grid !== null && typeof min === 'number' ? new DecimalGrid(this.#step, min) : null
  }

  check(value: number | bigint): Violation | null {
    if (value < this.#min) return { code: 'out-of-bounds', detail: `${value} is below boundaryMin (${this.#min})` }
    if (value > this.#max) return { code: 'out-of-bounds', detail: `${value} is above boundaryMax (${this.#max})` }
    return this.#grid === null || this.#isOnStep(value, this.#grid) ? null : this.#offStep(value)
  }

  #isOnStep(value: number | bigint, grid: DecimalGrid): boolean {
    if (isOn(grid, value)) return true
    // A grid can only count from a number.
    if (typeof this.#min === 'bigint') return grid.hasWhole(BigInt(value) - this.#min)
    return this.#fromMin !== null && isOn(this.#fromMin, value)
  }

  judgeRange(least: number | bigint, most: number | bigint): 'accepted' | 'refused' | null {
    if (most < this.#min || least > this.#max) return 'refused'
    if (least < this.#min || most > this.#max) return null
    if (this.#grid === null) return 'accepted'
    if (least !== most) return null
    return this.#isOnStep(least, this.#grid) ? 'accepted' : 'refused'
  }

  #offStep(value: number | bigint): Violation {
    const from = this.#min === -Infinity || this.#min === 0 ? '0' : `0 or from boundaryMin (${this.#min})`
    return { code: 'off-step', detail: `${shown(value)} is not on a step of ${this.#step} counted from ${from}` }
  }
}

function isOn(grid: DecimalGrid, value: number | bigint): boolean {
  return typeof value === 'bigint' ? grid.hasWhole(value) : grid.has(value)
}

/** Reads a boundary, which is a decimal string beyond 2^53, as values are. */
function boundaryField(characteristic: RecordBody, field: 'boundaryMin' | 'boundaryMax'): number | bigint | null {
  const value = enforcedBoundary(characteristic, field)
  return typeof value === 'string' ? BigInt(value) : value
}

function numberField(characteristic: RecordBody, field: string): number | null {
  const value = characteristic[field]
  return typeof value === 'number' ? value : null
}
