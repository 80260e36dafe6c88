const MOST = 5
const WITHIN_MS = 60_000

/** Keeps workers that die again and again from being started more than five times in a minute, all of them together. */
export class RestartLimit {
  /** When the last ones were started, or will be. */
  #times: readonly number[] = []

  /** For how long the next start must wait. */
  next(now: number): number {
    const oldest = this.#times.length < MOST ? undefined : this.#times[0]
    const at = oldest === undefined ? now : Math.max(now, oldest + WITHIN_MS)
    this.#times = [...this.#times, at].slice(-MOST)
    return at - now
  }
}
