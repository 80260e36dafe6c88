import { NotAsked } from '../sql-error.ts'
import type { Turns } from '../sql.ts'

interface TurnLimits {
  /** The maximum number of tasks that run at once, of one kind and of all kinds. */
  readonly mostOfOne: number
  readonly mostOfAll: number
  /** The maximum number of tasks of one kind that wait, and the longest wait of each. */
  readonly mostWaiting: number
  readonly patienceMs: number
  /** Describes the running work, for the message to rejected clients. */
  readonly meanwhile: string
}

interface Waiting {
  readonly kind: number
  go(): void
}

/** A line of tasks in this process that wait before they ask for a connection. */
export class WaitingLine implements Turns {
  readonly #limits: TurnLimits
  readonly #running = new Map<number, number>()
  readonly #waiting = new Set<Waiting>()
  #all = 0

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  get waiting(): number {
    return this.#waiting.size
  }

  async run<T>(kind: number, work: () => Promise<T>): Promise<T> {
    if (this.#hasRoom(kind)) this.#count(kind, 1)
    else await this.#turnOf(kind)
    try {
      return await work()
    } finally {
      this.#count(kind, -1)
      this.#next()
    }
  }

  /** Waits for a turn. When it comes, `go` has already counted the task as running. */
  #turnOf(kind: number): Promise<void> {
    const alike = [...this.#waiting].filter((other) => other.kind === kind).length
    if (alike >= this.#limits.mostWaiting) return Promise.reject(this.#refusal('and too many wait already'))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(this.#refusal('which takes longer than usual'))
      }, this.#limits.patienceMs)
      const go = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        this.#count(kind, 1)
        resolve()
      }
      const waiting = { kind, go }
      this.#waiting.add(waiting)
    })
  }

  #next(): void {
    for (const { kind, go } of this.#waiting) if (this.#hasRoom(kind)) return go()
  }

  #hasRoom(kind: number): boolean {
    const { mostOfOne, mostOfAll } = this.#limits
    return this.#all < mostOfAll && (this.#running.get(kind) ?? 0) < mostOfOne
  }

  #count(kind: number, change: number): void {
    this.#all += change
    const running = (this.#running.get(kind) ?? 0) + change
    if (running === 0) this.#running.delete(kind)
    else this.#running.set(kind, running)
  }

  #refusal(why: string): NotAsked {
    return new NotAsked(`${this.#limits.meanwhile}, ${why}; nothing was changed; try again in a moment`)
  }
}
