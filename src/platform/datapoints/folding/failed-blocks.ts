/** The most turns, which is some minutes. */
const LONGEST_REST = 1_024

interface Rest {
  readonly failures: number
  readonly until: number
}

/** The blocks that could not be merged. Each rests for twice as many turns as the last time, while the others go on. */
export class FailedBlocks {
  readonly #rests = new Map<string, Rest>()
  #turn = 0

  beginTurn(): void {
    this.#turn += 1
  }

  has(key: string): boolean {
    return (this.#rests.get(key)?.until ?? 0) > this.#turn
  }

  failed(key: string): void {
    const failures = (this.#rests.get(key)?.failures ?? 0) + 1
    this.#rests.set(key, { failures, until: this.#turn + Math.min(2 ** failures, LONGEST_REST) })
  }

  succeeded(key: string): void {
    this.#rests.delete(key)
  }

  /** Forgets the blocks that are gone. */
  keep(keys: { has(key: string): boolean }): void {
    for (const key of this.#rests.keys()) if (!keys.has(key)) this.#rests.delete(key)
  }
}
