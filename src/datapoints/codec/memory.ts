/** A view of memory is made once for each of these lengths, because making one takes longer than filling it. */
const MOST_VIEWS = 4_096

/** Memory for numbers that is used again. */
export class Memory {
  #numbers = new Float64Array(MOST_VIEWS)
  readonly #views: (Float64Array | undefined)[] = Array.from({ length: MOST_VIEWS })

  /** The memory keeps its old content, which is overwritten when it is taken the next time. */
  take(count: number): Float64Array {
    if (count < MOST_VIEWS) return (this.#views[count] ??= this.#numbers.subarray(0, count))
    if (count > this.#numbers.length) {
      this.#numbers = new Float64Array(count)
      this.#views.fill(undefined)
    }
    return this.#numbers.subarray(0, count)
  }
}
