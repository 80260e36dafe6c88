import { sqlState } from '../sql-error.ts'

/** There was no answer in time, and nobody knows what became of the question. */
export class Unanswered extends Error {
  constructor() {
    super('the database did not answer in time')
  }
}

export interface WatchTimes {
  /** After so long without any answer the database is asked on a new connection whether it is there. */
  readonly quietMs: number
  /** How long it may take for that. */
  readonly probeMs: number
}

/**
 * Reaches the database on a new connection. False where nothing comes back within the time, not even a refusal. It fails
 * where no connection can be tried, as when a certificate file cannot be read.
 */
type Probe = (ms: number) => Promise<boolean>

interface Question {
  readonly since: number
  /** When it is given up, even where the database answers others. */
  readonly until: number
  giveUp(): void
}

const TICK_MS = 500

/**
 * Notices that a database answers nothing any more, because it stands still or because the network drops everything: TCP
 * would wait for a quarter of an hour, or for ever. Then whatever waits for an answer fails, and what comes next fails at
 * once, until the database is there again.
 */
export class AnswerWatch {
  readonly #times: WatchTimes
  readonly #probe: Probe
  readonly #timer: NodeJS.Timeout
  readonly #open = new Set<Question>()
  #lastAnswer = performance.now()
  #lastTick = performance.now()
  #isProbing = false
  #isSilent = false
  #isReachable = true
  #unanswered = 0

  constructor(times: WatchTimes, probe: Probe) {
    this.#times = times
    this.#probe = probe
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  /** Gives the answer, however it is; fails with Unanswered where there is none in time. */
  async ask<T>(limitMs: number, question: () => Promise<T>): Promise<T> {
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const since = performance.now()
    const open = { since, until: since + limitMs, giveUp: () => reject(new Unanswered()) }
    this.#open.add(open)
    try {
      const answer = await Promise.race([question(), silence])
      this.#heard()
      return answer
    } catch (error) {
      if (sqlState(error) !== undefined) this.#heard()
      if (error instanceof Unanswered) this.#unanswered += 1
      throw error
    } finally {
      this.#open.delete(open)
    }
  }

  /** Whether the database is known to answer nothing, so that nothing more should be asked. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /** Notes that a connection could not be made. */
  missed(): void {
    this.#isReachable = false
  }

  /** Whether the database has answered when it was last asked. */
  get isUp(): boolean {
    return this.#isReachable && !this.#isSilent
  }

  /** The questions that were given up so far. */
  get unanswered(): number {
    return this.#unanswered
  }

  /** For how long the oldest question waits. */
  get oldestMs(): number {
    const [oldest] = this.#open
    return oldest === undefined ? 0 : performance.now() - oldest.since
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #heard(): void {
    this.#lastAnswer = performance.now()
    this.#isReachable = true
    this.#isSilent = false
  }

  #tick(): void {
    const now = performance.now()
    const isLate = now - this.#lastTick > 4 * TICK_MS
    this.#lastTick = now
    // Where this process itself stood still, answers may have come that it has not read yet.
    if (isLate) return
    for (const question of this.#open) if (now > question.until) question.giveUp()
    const [oldest] = this.#open
    const isQuiet = oldest !== undefined && now - Math.max(this.#lastAnswer, oldest.since) > this.#times.quietMs
    if ((isQuiet || this.#isSilent) && !this.#isProbing) void this.#look(now)
  }

  async #look(began: number): Promise<void> {
    this.#isProbing = true
    // A probe that fails says nothing about the database.
    const isThere = await this.#probe(this.#times.probeMs).catch(() => true)
    this.#isProbing = false
    if (isThere) this.#heard()
    else if (this.#lastAnswer < began) this.#fallSilent(began)
  }

  #fallSilent(began: number): void {
    this.#isSilent = true
    for (const question of this.#open) if (question.since <= began) question.giveUp()
  }
}
