/** The kinds of changes in a domain that callers can wait for. */
export type Topic = 'datapoints' | 'setpoints' | 'events' | 'applies'

type Listener = (domainId: number, topic: Topic) => void

/**
 * Wakes the parts of this process that wait for a change in a domain. A signal is only a hint to read the database.
 * They must also read it from time to time without a signal, because other processes write too and send none.
 */
export class ChangeSignals {
  readonly #waiting = new Map<string, Set<() => void>>()
  readonly #listeners = new Set<Listener>()

  /** Must be called after the change is committed. */
  signal(domainId: number, topic: Topic): void {
    for (const listener of this.#listeners) listener(domainId, topic)
    const waiting = this.#waiting.get(`${domainId} ${topic}`)
    if (waiting === undefined) return
    for (const wake of waiting) wake()
  }

  /** Listens to all changes until the returned function is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves at the next signal, after `ms`, or when `abort` fires. It never rejects. */
  next(domainId: number, topic: Topic, ms: number, abort?: AbortSignal): Promise<void> {
    if (abort?.aborted === true) return Promise.resolve()
    const key = `${domainId} ${topic}`
    const waiting = this.#waiting.get(key) ?? new Set()
    this.#waiting.set(key, waiting)
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        abort?.removeEventListener('abort', wake)
        waiting.delete(wake)
        if (waiting.size === 0) this.#waiting.delete(key)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      abort?.addEventListener('abort', wake, { once: true })
      waiting.add(wake)
    })
  }
}
