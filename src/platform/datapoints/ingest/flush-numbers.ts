/**
 * So many flushes in a row must have numbers that follow each other, before the process expects that no other one draws
 * numbers at the same time.
 */
const IN_A_ROW = 16

/** Under which numbers a process has written flushes to one slot, and may still write some. */
export class FlushNumbers {
  /** That of the last flush; at first the last one that any process had drawn. Flushes that follow have higher ones. */
  #last: number
  #isWriting = false
  #inARow = IN_A_ROW

  constructor(drawn: number) {
    this.#last = drawn
  }

  get last(): number {
    return this.#last
  }

  /** Whether the number after the last one is likely to be drawn by this process. */
  get isAlone(): boolean {
    return this.#inARow >= IN_A_ROW
  }

  begin(): void {
    this.#isWriting = true
  }

  /**
   * Must not be called for a flush whose answer was lost. It may still be stored until its slot is taken over, so nothing more
   * of the slot is ever settled.
   */
  end(): void {
    this.#isWriting = false
  }

  /** Notes the number under which a flush was stored. */
  note(number: number): void {
    this.#inARow = number === this.#last + 1 ? this.#inARow + 1 : 0
    this.#last = number
  }

  /**
   * The number up to which this process will write no more flushes, asked for while the database answers. `drawn` is the last
   * number that any process had drawn a moment ago. The present flush has a number that is not known yet, after that of the
   * one before.
   */
  readonly settledUpTo = (drawn: number): number => (this.#isWriting ? Math.min(drawn, this.#last) : drawn)
}
