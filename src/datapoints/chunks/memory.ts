/** Memory for numbers that is used again, because allocating takes longer than filling. */
export class Memory {
  #numbers = new Float64Array(2_048)

  /** What is in it is left from before. It is overwritten when memory is taken the next time. */
  take(count: number): Float64Array {
    if (count > this.#numbers.length) this.#numbers = new Float64Array(count)
    return this.#numbers.subarray(0, count)
  }
}
