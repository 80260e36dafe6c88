import { sqlState } from '../sql-error.ts'

/** The database did not answer in time. It is unknown whether it ran the statement. */
export class Unanswered extends Error {
  constructor() {
    super('the database did not answer in time')
  }
}

export interface WatchTimes {
  /** After this time without any answer, a probe asks the database on a new connection. */
  readonly quietMs: number
  /** The time limit of the probe. */
  readonly probeMs: number
}

/**
 * Reaches the database on a new connection. False if nothing comes back within the time, not even a refusal. It fails
 * where no connection can be tried, as when a certificate file cannot be read.
 */
type Probe = (ms: number) => Promise<boolean>

interface Question {
  readonly since: number
  /** The time when the statement is given up, even if the database answers other statements. */
  readonly until: number
  readonly domainId: number | null
  giveUp(): void
}

const TICK_MS = 500

/**
 * Detects that a database no longer answers, because it hangs or because the network drops all packets. TCP alone would
 * wait for a quarter of an hour, or for ever. Then all open questions fail, and new ones fail at once, until the
 * database answers again.
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

  /** Returns the answer or its error; fails with Unanswered if there is none in time. */
  async ask<T>(limitMs: number, question: () => Promise<T>, domainId: number | null = null): Promise<T> {
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const since = performance.now()
    const open = { since, until: since + limitMs, domainId, giveUp: () => reject(new Unanswered()) }
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

  /** Tells whether the database is known not to answer, so that no question should be sent. */
  get isSilent(): boolean {
    return this.#isSilent
  }

  /** Notes that a connection could not be made. */
  missed(): void {
    this.#isReachable = false
  }

  /** Tells whether the database answered when it was last asked. */
  get isUp(): boolean {
    return this.#isReachable && !this.#isSilent
  }

  /** The number of questions that were given up so far. */
  get unanswered(): number {
    return this.#unanswered
  }

  /** The time that the oldest open question has waited. */
  get oldestMs(): number {
    const [oldest] = this.#open
    return oldest === undefined ? 0 : performance.now() - oldest.since
  }

  /** Gives up the questions of some domains that have waited for this long. A null stands for several domains. */
  giveUp(ms: number, domains: ReadonlySet<number | null>): void {
    const now = performance.now()
    for (const question of this.#open)
      if (now - question.since >= ms && domains.has(question.domainId)) question.giveUp()
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
    // If this process itself was blocked, there may be answers that it has not read yet.
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
