import { HoldfastError } from '../../lib/errors.ts'

/** The most flushes that may be under way at once, which is far more than there can be. */
const MOST_MISSING = 100_000

/**
 * The flushes of datapoints that were seen: all up to a number, except for some. Their numbers are drawn in one order
 * and become visible in another, so the highest number alone would claim too much.
 */
export class SeenFlushes {
  readonly through: number
  /** The numbers up to `through` that were not visible yet, in ascending order. */
  readonly missing: readonly number[]
  #missingSet: ReadonlySet<number> | undefined

  constructor(through: number, missing: readonly number[] = []) {
    this.through = through
    this.missing = missing
  }

  has(generation: number): boolean {
    this.#missingSet ??= new Set(this.missing)
    return generation <= this.through && !this.#missingSet.has(generation)
  }

  /** The number up to which all flushes were seen. */
  get low(): number {
    return (this.missing[0] ?? this.through + 1) - 1
  }

  with(generations: readonly number[]): SeenFlushes {
    if (generations.length === 0) return this
    const seen = new Set(generations)
    const through = generations.reduce((most, generation) => Math.max(most, generation), this.through)
    if (through - this.through + this.missing.length > MOST_MISSING + seen.size)
      throw new HoldfastError('CONFLICT', 'the numbers of stored data jumped, as after a restore; subscribe again')
    const missing = this.missing.filter((one) => !seen.has(one))
    for (let one = this.through + 1; one < through; one++) if (!seen.has(one)) missing.push(one)
    return new SeenFlushes(through, missing)
  }

  /** Marks everything up to this number as seen or never coming. */
  settledUpTo(generation: number): SeenFlushes {
    if (generation <= this.low) return this
    return new SeenFlushes(
      Math.max(this.through, generation),
      this.missing.filter((one) => one > generation),
    )
  }

  /**
   * The position of a reader who has seen what `this` says, and of the flushes that `later` adds those up to
   * `generation`.
   */
  until(later: SeenFlushes, generation: number): SeenFlushes {
    if (generation > this.through)
      return new SeenFlushes(
        generation,
        later.missing.filter((one) => one < generation),
      )
    const isLeft = (one: number): boolean => one > generation || !later.has(one)
    return new SeenFlushes(this.through, this.missing.filter(isLeft))
  }
}
