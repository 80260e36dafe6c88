/** A power of two, so that dividing by it loses nothing of a number this large. */
const SCALE = 2 ** -64

/**
 * The sum of doubles with the rounding errors of each step kept aside (Neumaier 1974): 0.1 added ten times is 1. A sum
 * beyond the range of doubles still gives its mean.
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

  /** Null where no double is as large. */
  total(): number | null {
    const total = (this.#sum + this.#lost) / this.#scale
    return Number.isFinite(total) ? total : null
  }

  mean(count: number): number {
    return (this.#sum + this.#lost) / count / this.#scale
  }
}
