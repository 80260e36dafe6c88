import { FLOAT8 } from './columns.ts'
import type { Database } from './sql.ts'

/** Clocks drift, so that of the database is read so often. */
const EVERY_MS = 30_000

/** A longer answer says too little about the moment at which the clock was read. */
const LONGEST_ANSWER_MS = 250

/** After a reading, another one waits at least so long, also while the database is slow. */
const PAUSE_MS = 1_000

/** More than this is a step of the clock of this machine, or a sleep of it. */
const STEP_MS = 1_000

/**
 * The clock of a database, which all processes on it share. What has passed since it was read is measured by a clock that
 * nobody sets, so it does not matter what the clock of this machine says.
 */
export class DatabaseClock {
  readonly #database: Database
  /** In milliseconds before the time of `performance.now`. */
  #ahead = 0
  #ownAhead = 0
  #isReading = false
  /** By `performance.now`. */
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
    // A machine that has slept does not count that time.
    if (Math.abs(ownAhead() - this.#ownAhead) > STEP_MS) this.#readAgain()
    return new Date(performance.now() + this.#ahead)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** A database that cannot be reached is asked the next time. */
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
