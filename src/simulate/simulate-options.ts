import { HoldfastError } from '../lib/errors.ts'

const UNITS: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000 }

const SHORTEST_INTERVAL = 1_000
const LONGEST_INTERVAL = 3_600_000

/** Reads `60s`, `5m` or `1h`, and returns milliseconds. */
export function readInterval(text: string): number {
  const [, amount = '', unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? []
  const interval = Number(amount) * (UNITS[unit] ?? Number.NaN)
  if (interval >= SHORTEST_INTERVAL && interval <= LONGEST_INTERVAL) return interval
  throw bad('--interval', 'a time from 1s to 1h, such as 30s or 5m', text)
}

/** Reads a number of days, such as 0.5. */
export function readDays(text: string): number {
  const days = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && days <= 3_660) return days
  throw bad('--days', 'a number from 0 to 3660', text)
}

export function readWhole(option: string, text: string, [least, most]: readonly [number, number]): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= least && number <= most) return number
  throw bad(option, `a whole number from ${least} to ${most}`, text)
}

function bad(option: string, expected: string, text: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', `${option} must be ${expected}, not ${JSON.stringify(text)}`)
}
