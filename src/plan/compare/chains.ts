/** The end of a chain of keys. */
export interface ChainEnd {
  readonly key: string
  /** The keys of the circle that the chain ends in; empty if it ends at a key. */
  readonly circle: ReadonlySet<string>
}

/** Follows keys to their ends. It reads each key once, although many thousands of chains may lead through it. */
export class Chains {
  readonly #next: (key: string) => string | undefined
  readonly #ends = new Map<string, ChainEnd>()

  constructor(next: (key: string) => string | undefined) {
    this.#next = next
  }

  endOf(start: string): ChainEnd {
    const passed = new Set<string>()
    let key = start
    let end = this.#ends.get(key)
    while (end === undefined) {
      passed.add(key)
      const next = this.#next(key)
      if (next === undefined) end = { key, circle: new Set() }
      else if (passed.has(next)) end = { key: next, circle: new Set([...passed].slice([...passed].indexOf(next))) }
      else end = this.#ends.get((key = next))
    }
    for (const one of passed) this.#ends.set(one, end)
    return end
  }
}
