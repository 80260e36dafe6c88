/** What of a domain somebody may wait for. */
export type Topic = 'datapoints' | 'setpoints' | 'events' | 'applies'

type Listener = (domainId: number, topic: Topic) => void

/**
 * Wakes who waits in this process for something of a domain to change. A hint and no more: whoever is woken looks into the
 * database, and looks there once in a while unasked, since other processes write too and send no hint.
 */
export class ChangeSignals {
  readonly #waiting = new Map<string, Set<() => void>>()
  readonly #listeners = new Set<Listener>()

  /** To be called after the change is committed. */
  signal(domainId: number, topic: Topic): void {
    for (const listener of this.#listeners) listener(domainId, topic)
    const waiting = this.#waiting.get(`${domainId} ${topic}`)
    if (waiting === undefined) return
    for (const wake of waiting) wake()
  }

  /** Hears of all changes until the function that it gives back is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves at the next signal, after `ms`, or when `abort` fires, whichever comes first. Never rejects. */
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
