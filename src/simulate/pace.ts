/** The speed at which simulated time passes. */
export interface Pace {
  horizon(): number
  /** The milliseconds until the horizon reaches a time. */
  waitFor(time: number): number
  /** Whether the horizon is the present. */
  isLive(): boolean
}

/**
 * Makes the pace. From `begin` on the past passes `speed` times as fast as real time; with null all of it is
 * available at once.
 */
export function paceOf(now: () => number, begin: number, speed: number | null): Pace {
  if (speed === null) return { horizon: now, waitFor: (time) => time - now(), isLive: () => true }
  const started = now()
  const horizon = () => Math.min(now(), begin + (now() - started) * speed)
  const isLive = () => horizon() === now()
  return { horizon, isLive, waitFor: (time) => (isLive() ? time - now() : (time - horizon()) / speed) }
}
