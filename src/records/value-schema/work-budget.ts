import { HoldfastError } from '../../lib/errors.ts'

/** A step is some ten nanoseconds: looking at one part of a schema, or at one character by one instruction of a pattern. */
const MOST_STEPS = 10_000_000

/** How much checking values against their schemas may cost together. What costs more is refused, so that nobody else waits for it. */
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
