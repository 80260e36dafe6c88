export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The local time of the houses: Central European time, with summer time by Directive 2000/84/EC. */
export interface LocalTime {
  /** The days since 1970. Noon of day `day` is `startOfDay(day) + 12 * HOUR`, except on two days a year. */
  readonly day: number
  /** 0 to below 24 */
  readonly hour: number
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number
  /** 0 is the first of January. */
  readonly dayOfYear: number
}

export function localTime(time: number): LocalTime {
  const shifted = time + offsetAt(time)
  const day = Math.floor(shifted / DAY)
  return {
    day,
    hour: (shifted - day * DAY) / HOUR,
    // The first of January 1970 was a Thursday.
    weekday: ((day + 3) % 7) + 1,
    dayOfYear: day - Date.UTC(new Date(shifted).getUTCFullYear(), 0, 1) / DAY,
  }
}

/** The instant at which a local day reaches an hour. */
export function instantOf(day: number, hour: number): number {
  const shown = day * DAY + hour * HOUR
  return shown - offsetAt(shown - HOUR)
}

function offsetAt(time: number): number {
  const year = new Date(time).getUTCFullYear()
  const isSummer = time >= lastSunday(year, 2) && time < lastSunday(year, 9)
  return isSummer ? 2 * HOUR : HOUR
}

/** The instant 01:00 UTC on the last Sunday of a month with 31 days. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31, 1))
  return last.getTime() - last.getUTCDay() * DAY
}
