import { FLOAT8 } from './columns.ts'
import type { Database } from './sql.ts'

/** The interval at which the clock of the database is read, because clocks drift. */
const EVERY_MS = 30_000

/** A slower answer is ignored, because it is too imprecise about the moment of the reading. */
const LONGEST_ANSWER_MS = 250

/** The shortest pause after the clock was read, even if the database is slow. */
const PAUSE_MS = 1_000

/** A larger difference means that the clock of this machine was set, or that the machine slept. */
const STEP_MS = 1_000

/**
 * The clock of a database, which all its processes share. The time since the last reading is measured by a monotonic
 * clock, so the clock of this machine does not matter.
 */
export class DatabaseClock {
  readonly #database: Database
  /** Milliseconds to add to `performance.now`. */
  #ahead = 0
  #ownAhead = 0
  #isReading = false
  /** The time of the last reading, by `performance.now`. */
  #readAt = -Infinity
  readonly #timer: NodeJS.Timeout

  private constructor(database: Database) {
    this.#database = database
    this.#timer = setInterval(() => this.#readAgain(), EVERY_MS).unref()
  }

  static async open(database: Database): Promise<DatabaseClock> {
    const clock = new DatabaseClock(database)
    await clock.#read(Infinity)
    return clock
  }

  readonly now = (): Date => {
    // While a machine sleeps, `performance.now` may stand still.
    if (Math.abs(ownAhead() - this.#ownAhead) > STEP_MS) this.#readAgain()
    return new Date(performance.now() + this.#ahead)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Reads the clock in the background. If the database cannot be reached, the next call tries again. */
  #readAgain(): void {
    if (this.#isReading || performance.now() - this.#readAt < PAUSE_MS) return
    this.#isReading = true
    void this.#read(LONGEST_ANSWER_MS)
      .catch(() => undefined)
      .finally(() => {
        this.#isReading = false
        this.#readAt = performance.now()
      })
  }

  async #read(longestMs: number): Promise<void> {
    const own = ownAhead()
    const asked = performance.now()
    const [row] = await this.#database.rows(
      { milliseconds: FLOAT8 },
      `select (extract(epoch from clock_timestamp()) * 1000)::float8 as milliseconds`,
    )
    const answered = performance.now()
    if (row === undefined || answered - asked > longestMs) return
    this.#ahead = row.milliseconds - (asked + answered) / 2
    this.#ownAhead = own
  }
}

function ownAhead(): number {
  return Date.now() - performance.now()
}
