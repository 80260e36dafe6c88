import type { Report, RecordBody } from '../record-type.ts'
import { limitIn, type BoundaryForm } from './boundary.ts'
import { DecimalGrid } from './decimal-grid.ts'
import { shown, type Violation } from './violation.ts'

/**
 * The rules for numbers: boundaryMin, boundaryMax and boundaryStep. Steps count from 0, according to the specification,
 * and from boundaryMin, which devices with an offset use. A value is valid if either fits.
 */
export abstract class NumberRules {
  /** A bigint beyond 2^53. JavaScript compares numbers and bigints exactly. */
  readonly #min: number | bigint
  readonly #max: number | bigint
  readonly #step: number
  readonly #grid: DecimalGrid | null
  /** The steps from boundaryMin; null if it is not a number. */
  readonly #fromMin: DecimalGrid | null

  constructor(form: BoundaryForm<number | bigint>, characteristic: RecordBody) {
    const min = limitIn(form, characteristic, 'boundaryMin')
    const step = characteristic['boundaryStep']
    this.#min = min ?? -Infinity
    this.#max = limitIn(form, characteristic, 'boundaryMax') ?? Infinity
    this.#step = typeof step === 'number' ? step : 0
    this.#grid = this.#step > 0 ? new DecimalGrid(this.#step) : null
    this.#fromMin = this.#grid !== null && typeof min === 'number' ? new DecimalGrid(this.#step, min) : null
  }

  protected check(value: number | bigint): Violation | null {
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

/** Warns about a step without effect, because the specification allows any number. */
export function warnAboutStep(step: number, report: Report, flaw: string | null = null): void {
  const warn = (message: string) => report('warning', 'boundary-step', ['boundaryStep'], message)
  if (step <= 0) warn(`boundaryStep ${step} is ignored, because a step must be greater than 0`)
  else if (flaw !== null) warn(`boundaryStep ${step} ${flaw}`)
}
