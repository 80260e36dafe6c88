/** `npm run test:long`: nothing is sampled. */
export const isLong = process.env['TEST_LONG'] !== undefined

export interface Runs {
  /** In `npm test`. */
  readonly sample: number
  /** In `npm run test:long`. */
  readonly long: number
}

/** How often a test tries something; the environment variable asks for another number. */
export function runsOf(variable: string, { sample, long }: Runs): number {
  const given = process.env[variable]
  if (given === undefined) return isLong ? long : sample
  if (/^[1-9]\d*$/.test(given)) return Number(given)
  throw new Error(`${variable} must be a whole number from 1 on, but is ${JSON.stringify(given)}`)
}
