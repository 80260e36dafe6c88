import { HAS_ENDED } from '../run-transaction.ts'
import type { SqlValue } from '../sql.ts'
import { faultOf, NOTHING_KEPT, type Fate } from './postgres-errors.ts'
import type { Answer, Statement } from './run-together.ts'

/** The way from a queue to its connection. `limitMs` is the time to wait for an answer. */
interface Line {
  together(statements: readonly Statement[], limitMs: number): Promise<void>
  alone(run: () => Promise<void>, limitMs: number): Promise<void>
}

interface Asked {
  /** A statement that may be sent together with others, or work that must run alone. */
  readonly what: Statement | (() => Promise<void>)
  /** The time that the database may take for it. */
  readonly limitMs: number
  /** Tells whether the statement is sent only together with the next one. */
  readonly isAhead: boolean
  failed(error: unknown): void
}

/**
 * The statements of a transaction, in order. The queue sends all statements of one turn of the event loop together,
 * with those that must run ahead of them. So the transaction waits only once for the database, and once for the other
 * work of the process.
 */
export class StatementQueue {
  readonly #line: Line
  #waiting: Asked[] = []
  #isBusy = false
  #isSent = false
  #hasFailed = false
  /** The failure of a statement that had to run ahead. After it, no statement is sent. */
  #barrier: { readonly error: unknown } | null = null

  constructor(line: Line) {
    this.#line = line
  }

  /** Tells whether a statement was sent to the database. */
  get isSent(): boolean {
    return this.#isSent
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Tells whether a caller waits for a statement that is not sent yet. */
  get isAwaited(): boolean {
    return !this.#waiting.every(({ isAhead }) => isAhead)
  }

  query(text: string, values: readonly SqlValue[], limitMs: number, fate: Fate = NOTHING_KEPT): Promise<Answer> {
    const answer = new Promise<Answer>((answered, reject) => {
      const failed = (error: unknown): void => reject(faultOf(error, fate))
      this.#add({ what: { text, values, answered }, limitMs, isAhead: false, failed })
    })
    return answer.catch((error: unknown) => {
      // The stack of an answer begins at the socket. This replaces it by the stack of the caller, as pg does.
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    })
  }

  ahead(text: string, limitMs: number): void {
    let isDone = false
    const answered = (): void => void (isDone = true)
    const failed = (error: unknown): void => {
      if (!isDone) this.#barrier ??= { error }
    }
    this.#add({ what: { text, values: [], answered }, limitMs, isAhead: true, failed })
  }

  alone<T>(run: () => Promise<T>, limitMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const failed = (error: unknown): void => reject(faultOf(error, NOTHING_KEPT))
      this.#add({ what: async () => resolve(await run()), limitMs, isAhead: false, failed })
    })
  }

  /** Drops the statements that are not sent yet. After this the transaction can only be rolled back. */
  drop(): void {
    for (const { failed } of this.#waiting) failed(new Error(HAS_ENDED))
    this.#waiting = []
    this.#barrier = null
  }

  #add(asked: Asked): void {
    this.#waiting.push(asked)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isBusy || !this.isAwaited) return
    this.#isBusy = true
    // This runs after all code that can continue now, and before the process handles new events.
    queueMicrotask(() => process.nextTick(() => void this.#sendNext()))
  }

  async #sendNext(): Promise<void> {
    const asked = this.#take()
    try {
      if (this.#barrier !== null) throw this.#barrier.error
      if (asked.length > 0) await this.#send(asked)
    } catch (error) {
      this.#fail(asked, error)
    }
    this.#isBusy = false
    this.#schedule()
  }

  /** Removes all statements that can be sent together, or the first work that runs alone. */
  #take(): readonly Asked[] {
    const first = this.#waiting.findIndex(({ what }) => typeof what === 'function')
    const count = first === -1 ? this.#waiting.length : Math.max(first, 1)
    const taken = this.#waiting.slice(0, count)
    this.#waiting = this.#waiting.slice(count)
    return taken
  }

  async #send(asked: readonly Asked[]): Promise<void> {
    this.#isSent = true
    const limitMs = asked.reduce((sum, one) => sum + one.limitMs, 0)
    const statements = asked.flatMap(({ what }) => (typeof what === 'function' ? [] : [what]))
    const [first] = asked
    if (typeof first?.what === 'function') await this.#line.alone(first.what, limitMs)
    else await this.#line.together(statements, limitMs)
  }

  /** Fails statements. It has no effect on those that were answered before. */
  #fail(asked: readonly Asked[], error: unknown): void {
    this.#hasFailed = true
    for (const { failed } of asked) failed(error)
  }
}
