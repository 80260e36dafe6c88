/** After this many flushes with consecutive numbers, the process assumes that no other process draws numbers. */
const IN_A_ROW = 16

/** The numbers of the flushes that a process has written to one slot, and may still write. */
export class FlushNumbers {
  /** The number of the last flush; at first the last that any process drew. Later flushes have higher numbers. */
  #last: number
  #isWriting = false
  #inARow = IN_A_ROW

  constructor(drawn: number) {
    this.#last = drawn
  }

  get last(): number {
    return this.#last
  }

  /** Whether this process will probably draw the number after the last one. */
  get isAlone(): boolean {
    return this.#inARow >= IN_A_ROW
  }

  begin(): void {
    this.#isWriting = true
  }

  /**
   * Must not be called if the answer to a flush was lost. That flush may still be stored until the slot is taken over,
   * so no further number of the slot is ever settled.
   */
  end(): void {
    this.#isWriting = false
  }

  /** Notes the number of a stored flush. */
  note(number: number): void {
    this.#inARow = number === this.#last + 1 ? this.#inARow + 1 : 0
    this.#last = number
  }

  /**
   * The number up to which this process will write no more flushes. It is called while the database answers. `drawn` is
   * the last number that any process had drawn a moment ago. The number of the running flush is not known yet, but is
   * higher than the number of the previous flush.
   */
  readonly settledUpTo = (drawn: number): number => (this.#isWriting ? Math.min(drawn, this.#last) : drawn)
}
