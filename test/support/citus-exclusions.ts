/** Tests that do not run on a Citus cluster. `npm test` with `HOLDFAST_TEST_DATABASE_URL` prints those that it meets. */
export interface Exclusion {
  readonly file: string
  /** How the full names of the tests begin, suites included and joined by ` > `. All tests of the file by default. */
  readonly tests?: readonly string[]
  readonly reason: string
}

const EXPLAINS = 'it counts rows or blocks by EXPLAIN, which shows no plan of another node'

export const EXCLUSIONS: readonly Exclusion[] = [{ file: 'test/server/growth.test.ts', reason: EXPLAINS }]

/** The reason why a test does not run on Citus, if there is one. */
export function reasonToExclude(file: string, name: string): string | undefined {
  return EXCLUSIONS.find(
    (one) => one.file === file && (one.tests === undefined || one.tests.some((begin) => name.startsWith(begin))),
  )?.reason
}
