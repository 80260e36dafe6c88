import { HoldfastError } from '../../lib/errors.ts'
import { present } from '../../lib/present.ts'

/** The maximum number of flushes that may be unfinished at once, which is far more than can occur. */
const MOST_MISSING = 100_000

/** Consecutive numbers, from the first to the last one. */
export type NumberRun = readonly [first: number, last: number]

/**
 * The flushes of datapoints that were seen: all up to a number, with exceptions. Flushes do not become visible in the
 * order of their numbers, so the highest number alone would include flushes that were not seen.
 */
export class SeenFlushes {
  readonly through: number
  /** The numbers up to `through` that were not visible yet, in ascending order. A cursor's runs may have any length. */
  readonly missing: readonly NumberRun[]

  constructor(through: number, missing: readonly NumberRun[] = []) {
    this.through = through
    this.missing = missing
  }

  has(generation: number): boolean {
    let [low, high] = [0, this.missing.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.missing[middle]?.[1] ?? 0) < generation) low = middle + 1
      else high = middle
    }
    return generation <= this.through && generation < (this.missing[low]?.[0] ?? Infinity)
  }

  /** The number up to which all flushes were seen. */
  get low(): number {
    return (this.missing[0]?.[0] ?? this.through + 1) - 1
  }

  with(generations: readonly number[]): SeenFlushes {
    if (generations.length === 0) return this
    const seen = generations.toSorted((a, b) => a - b)
    const through = Math.max(this.through, seen.at(-1) ?? 0)
    const unseen = seen.map((one, index): NumberRun => [one + 1, (seen[index + 1] ?? Infinity) - 1])
    const missing = common([...this.missing, [this.through + 1, through]], [[0, (seen[0] ?? 0) - 1], ...unseen])
    if (missing.reduce((sum, [first, last]) => sum + last - first + 1, 0) > MOST_MISSING)
      throw new HoldfastError('CONFLICT', 'the numbers of stored data jumped, as after a restore; subscribe again')
    return new SeenFlushes(through, missing)
  }

  /** Marks everything up to this number as seen or never coming. */
  settledUpTo(generation: number): SeenFlushes {
    if (generation <= this.low) return this
    return new SeenFlushes(Math.max(this.through, generation), common(this.missing, [[generation + 1, Infinity]]))
  }

  /** The position of a reader that has seen the flushes of `this`, and those of `later` up to `generation`. */
  until(later: SeenFlushes, generation: number): SeenFlushes {
    if (generation > this.through) return new SeenFlushes(generation, common(later.missing, [[0, generation - 1]]))
    const left: NumberRun[] = [...common(later.missing, [[0, generation]]), [generation + 1, Infinity]]
    return new SeenFlushes(this.through, common(this.missing, left))
  }
}

/** The numbers that are in both lists. Their runs are in ascending order. */
function common(some: readonly NumberRun[], others: readonly NumberRun[]): NumberRun[] {
  const found: NumberRun[] = []
  for (let [index, other] = [0, 0]; index < some.length && other < others.length;) {
    const [one, two] = [present(some[index]), present(others[other])]
    const [first, last] = [Math.max(one[0], two[0]), Math.min(one[1], two[1])]
    if (first <= last) found.push([first, last])
    if (one[1] < two[1]) index++
    else other++
  }
  return found
}
