/** Set by `npm run test:long`, which samples nothing. */
export const isLong = process.env['TEST_LONG'] !== undefined

export interface Runs {
  /** The number in `npm test`. */
  readonly sample: number
  /** The number in `npm run test:long`. */
  readonly long: number
}

/** The number of tries of a test. The environment variable sets another number. */
export function runsOf(variable: string, { sample, long }: Runs): number {
  const given = process.env[variable]
  if (given === undefined) return isLong ? long : sample
  if (/^[1-9]\d*$/.test(given)) return Number(given)
  throw new Error(`${variable} must be a whole number from 1 on, but is ${JSON.stringify(given)}`)
}
