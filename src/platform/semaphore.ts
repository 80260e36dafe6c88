/** Lets so many run at once; the others wait in line. */
export class Semaphore {
  #free: number
  readonly #line: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  get waiting(): number {
    return this.#line.length
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#line.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever is next takes over this turn.
      const next = this.#line.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
