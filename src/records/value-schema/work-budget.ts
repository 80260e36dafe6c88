import { HoldfastError } from '../../lib/errors.ts'

/** A step takes about ten nanoseconds: one part of a schema, or one instruction of a pattern on one character. */
const MOST_STEPS = 10_000_000

/** Limits the work of checking values against their schemas. More work is rejected, so that others need not wait. */
export class WorkBudget {
  #left: number

  constructor(steps = MOST_STEPS) {
    this.#left = steps
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left >= 0) return
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      'checking these JSON values against their schemas takes too long; send fewer at once, or make the schemas simpler',
    )
  }
}
