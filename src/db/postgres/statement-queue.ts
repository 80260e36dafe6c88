import { HAS_ENDED } from '../run-transaction.ts'
import type { SqlValue } from '../sql.ts'
import { faultOf, NOTHING_KEPT, type Fate } from './postgres-errors.ts'
import type { Answer, Statement } from './run-together.ts'

/** How a queue reaches its connection; an answer is waited for so long, in milliseconds. */
interface Line {
  together(statements: readonly Statement[], limitMs: number): Promise<void>
  alone(run: () => Promise<void>, limitMs: number): Promise<void>
}

interface Asked {
  /** A statement that may go along with others, or what goes alone. */
  readonly what: Statement | (() => Promise<void>)
  /** How long the database may take for it. */
  readonly limitMs: number
  /** Whether it waits for what is asked next, and goes along with that. */
  readonly isAhead: boolean
  failed(error: unknown): void
}

/**
 * The statements that a transaction asks of its connection, in order. The queue sends all statements of one turn of the
 * process together, along with those that were to be ahead of them. So the transaction waits once for the database, and
 * once behind all other work of the process.
 */
export class StatementQueue {
  readonly #line: Line
  #waiting: Asked[] = []
  #isBusy = false
  #isSent = false
  #hasFailed = false
  /** Why nothing more is sent: what was to be ahead of it was not done. */
  #barrier: { readonly error: unknown } | null = null

  constructor(line: Line) {
    this.#line = line
  }

  /** Whether anything has gone to the database. */
  get isSent(): boolean {
    return this.#isSent
  }

  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Whether somebody waits for an answer that was not asked for yet. */
  get isAwaited(): boolean {
    return !this.#waiting.every(({ isAhead }) => isAhead)
  }

  query(text: string, values: readonly SqlValue[], limitMs: number, fate: Fate = NOTHING_KEPT): Promise<Answer> {
    const answer = new Promise<Answer>((answered, reject) => {
      const failed = (error: unknown): void => reject(faultOf(error, fate))
      this.#add({ what: { text, values, answered }, limitMs, isAhead: false, failed })
    })
    return answer.catch((error: unknown) => {
      // The stack of an answer begins at the socket. This one leads to who has asked, as that of pg does.
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

  /** Forgets what was not sent yet. From here on the transaction can only be taken back. */
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
    // After all that goes on without waiting for anything else, and before the process turns to what else has arrived.
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

  /** Takes all that can go together, or the first that goes alone. */
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

  /** Statements that were answered already do not fail any more. */
  #fail(asked: readonly Asked[], error: unknown): void {
    this.#hasFailed = true
    for (const { failed } of asked) failed(error)
  }
}
