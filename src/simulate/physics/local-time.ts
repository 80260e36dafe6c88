export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** What the clocks in the houses show: Central European time, with summer time as Directive 2000/84/EC has it. */
export interface LocalTime {
  /** Counted from 1970; noon of day `day` is `startOfDay(day) + 12 * HOUR`, but for two days a year. */
  readonly day: number
  /** 0 to below 24. */
  readonly hour: number
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number
  /** From 0, on the first of January. */
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

/** The instant at which the clocks show this hour of a local day. */
export function instantOf(day: number, hour: number): number {
  const shown = day * DAY + hour * HOUR
  return shown - offsetAt(shown - HOUR)
}

function offsetAt(time: number): number {
  const year = new Date(time).getUTCFullYear()
  const isSummer = time >= lastSunday(year, 2) && time < lastSunday(year, 9)
  return isSummer ? 2 * HOUR : HOUR
}

/** 01:00 UTC of the last Sunday of a month of 31 days. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31, 1))
  return last.getTime() - last.getUTCDay() * DAY
}
