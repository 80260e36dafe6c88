/** Shorter views of the memory are cached, because creating a view takes longer than filling it. */
const MOST_VIEWS = 4_096

/** Reusable memory for numbers. */
export class Memory {
  #numbers = new Float64Array(MOST_VIEWS)
  readonly #views: (Float64Array | undefined)[] = Array.from({ length: MOST_VIEWS })

  /** Returns memory with its old content. The next call returns the same memory again. */
  take(count: number): Float64Array {
    if (count < MOST_VIEWS) return (this.#views[count] ??= this.#numbers.subarray(0, count))
    if (count > this.#numbers.length) {
      this.#numbers = new Float64Array(count)
      this.#views.fill(undefined)
    }
    return this.#numbers.subarray(0, count)
  }
}
