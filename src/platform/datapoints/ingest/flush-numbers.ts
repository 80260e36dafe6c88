/** Under which numbers a process has written flushes, and may still write some. */
export class FlushNumbers {
  /** That of the last flush of this process. Those that follow have higher ones. */
  #last = 0
  #isWriting = false
  /**
   * The last number before the first of the flushes whose answer was lost, so that they may still be committed: until some
   * time after the database is there again.
   */
  #uncertain: { readonly after: number; until: number | null } | null = null

  begin(): void {
    this.#isWriting = true
  }

  end(): void {
    this.#isWriting = false
  }

  note(number: number): void {
    this.#last = number
  }

  noteLostAnswer(): void {
    this.#uncertain = { after: Math.min(this.#last, this.#uncertainAfter()), until: null }
  }

  /** Begins in another database, which gives the same numbers again. */
  forget(): void {
    this.#last = 0
  }

  /** Whether some flush may still be committed although it was refused, or may have been since this was last asked. */
  takeDoubt(): boolean {
    const doubt = this.#uncertain
    if (doubt !== null && doubt.until !== null && performance.now() >= doubt.until) this.#uncertain = null
    return doubt !== null
  }

  /**
   * The number up to which this process will write no more flushes, asked for while the database answers. `drawn` is the last
   * number that any process had drawn a moment ago. The present flush has a number that is not known yet, after that of the
   * one before.
   */
  readonly settledUpTo = (drawn: number): number => {
    return Math.min(drawn, this.#isWriting ? this.#last : Infinity, this.#uncertainAfter())
  }

  #uncertainAfter(): number {
    if (this.#uncertain === null) return Infinity
    const until = (this.#uncertain.until ??= later())
    return performance.now() < until ? this.#uncertain.after : Infinity
  }
}

/** No database that answers others goes on with the work of a lost connection for this long. */
const later = () => performance.now() + 60_000
