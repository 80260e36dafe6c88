/** Up to when sites may have reported, and how long a wait for a time takes. */
export interface Pace {
  horizon(): number
  /** Milliseconds until the horizon reaches a time. */
  waitFor(time: number): number
  /** Whether the horizon is the present. */
  isLive(): boolean
}

/** `speed`: how much faster than real time the past goes by, from `begin` on; null: all of it is there at once. */
export function paceOf(now: () => number, begin: number, speed: number | null): Pace {
  if (speed === null) return { horizon: now, waitFor: (time) => time - now(), isLive: () => true }
  const started = now()
  const horizon = () => Math.min(now(), begin + (now() - started) * speed)
  const isLive = () => horizon() === now()
  return { horizon, isLive, waitFor: (time) => (isLive() ? time - now() : (time - horizon()) / speed) }
}
