export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The local time of the houses. They use Central European winter time all year. */
export interface LocalTime {
  /** The days since 1970. */
  readonly day: number
  /** 0 to below 24 */
  readonly hour: number
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number
}

export function localTime(time: number): LocalTime {
  const shown = time + HOUR
  const day = Math.floor(shown / DAY)
  // The first of January 1970 was a Thursday.
  return { day, hour: (shown - day * DAY) / HOUR, weekday: ((day + 3) % 7) + 1 }
}

/** The instant at which a local day reaches an hour. */
export function instantOf(day: number, hour: number): number {
  return day * DAY + (hour - 1) * HOUR
}
