import { HoldfastError } from '../lib/errors.ts'

/** The largest answer held in memory, in bytes: REST, GraphQL, console pages. Files and subscriptions stream. */
export const MOST_ANSWER_BYTES = 33_554_432

/** The same limit for a whole model: some 800,000 records. A separate thread writes it (docs/decisions/0021). */
export const MOST_DOCUMENT_BYTES = 268_435_456

/**
 * The bytes that one request may still add to its answer. All parts of a request share it, because a query may ask for
 * the same long text under many names. While data is read, a character counts as one byte, because it has at least one.
 * The exact bytes count when they are written.
 */
export class AnswerBudget {
  /** The number of values that the request has in memory to find their percentiles. */
  held = 0
  readonly #most: number
  #taken = 0

  constructor(most = MOST_ANSWER_BYTES) {
    this.#most = most
  }

  /** Counts bytes of the answer. */
  take(bytes: number): void {
    this.check(bytes)
    this.#taken += bytes
  }

  /** Throws if this many more bytes do not fit. It does not count them. */
  check(bytes: number): void {
    if (this.#taken + bytes > this.#most) throw tooLarge(this.#most)
  }
}

function tooLarge(most: number): HoldfastError {
  const bytes = most.toLocaleString('en-US')
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `the answer would have more than ${bytes} bytes; ask for less at once, such as a shorter range or a smaller page. Files of datapoints (CSV, NDJSON, Parquet) have no such limit, and a plan as text/markdown is shortened`,
  )
}
