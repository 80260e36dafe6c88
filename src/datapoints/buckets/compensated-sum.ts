/** A power of two, so that scaling a large number by it is exact. */
const SCALE = 2 ** -64

/**
 * A sum of doubles that collects the rounding error of each step (Neumaier 1974): 0.1 added ten times is 1. It gives
 * a mean even where the sum is beyond the range of doubles.
 */
export class CompensatedSum {
  #sum = 0
  #lost = 0
  #scale = 1

  add(value: number): void {
    const term = value * this.#scale
    const sum = this.#sum + term
    if (!Number.isFinite(sum)) {
      this.#scaleDown()
      this.add(value)
      return
    }
    this.#lost += Math.abs(this.#sum) >= Math.abs(term) ? this.#sum - sum + term : term - sum + this.#sum
    this.#sum = sum
  }

  #scaleDown(): void {
    this.#scale *= SCALE
    this.#sum *= SCALE
    this.#lost *= SCALE
  }

  /** The sum; null where it is beyond the range of doubles. */
  total(): number | null {
    const total = (this.#sum + this.#lost) / this.#scale
    return Number.isFinite(total) ? total : null
  }

  mean(count: number): number {
    return (this.#sum + this.#lost) / count / this.#scale
  }
}
