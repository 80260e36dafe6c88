import { HoldfastError } from '../../lib/errors.ts'

/**
 * A step takes about ten nanoseconds: one part of a schema is looked at, or one instruction of a pattern is applied
 * to one character.
 */
const MOST_STEPS = 10_000_000

/**
 * The work that may be spent on checking values against their schemas. More work is refused, so that no other client
 * has to wait for it.
 */
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
