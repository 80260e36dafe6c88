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
  return Number(process.env[variable] ?? (isLong ? long : sample))
}
