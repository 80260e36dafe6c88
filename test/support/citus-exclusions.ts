/** Tests that do not run on a Citus cluster. `npm test` with `HOLDFAST_TEST_DATABASE_URL` prints those that it meets. */
export interface Exclusion {
  readonly file: string
  /** How the full names of the tests begin, suites included and joined by ` > `. All tests of the file by default. */
  readonly tests?: readonly string[]
  readonly reason: string
}

const EXPLAINS = 'it counts rows by EXPLAIN, or by the statistics of one session, which do not see the other nodes'
const OWN_SERVER = 'it starts PostgreSQL servers itself, to stop, freeze, fill or secure them'
const TRIGGER = 'a trigger writes down what the test compares, and distributed tables have none'
const PLAYED = 'it plays a cluster with tables that a real one has already'
const PATHS = 'a request runs through more files there'
const ERRORS = 'an error of another node comes without the name of its constraint'

export const EXCLUSIONS: readonly Exclusion[] = [
  { file: 'test/server/growth.test.ts', reason: EXPLAINS },
  ...['all-of-one', 'data', 'edges', 'records', 'windows'].map((name) => ({
    file: `test/platform/few-of-many/${name}.test.ts`,
    reason: EXPLAINS,
  })),
  {
    file: 'test/platform/datapoints/lost-series.test.ts',
    tests: ['points of a series that was deleted, on PostgreSQL > are found without a look at the chunks of others'],
    reason: EXPLAINS,
  },
  { file: 'test/platform/datapoints/reading/readable-series.test.ts', reason: EXPLAINS },
  {
    file: 'test/platform/datapoints/reading/latest-points.test.ts',
    tests: ['the statement, with statistics or without'],
    reason: EXPLAINS,
  },
  { file: 'test/platform/datapoints/find-series.test.ts', reason: EXPLAINS },
  {
    file: 'test/platform/datapoints/first-contact-ways.test.ts',
    tests: ['looks at no other system or component'],
    reason: EXPLAINS,
  },
  {
    file: 'test/platform/datapoints/ingest/forgotten-keys.test.ts',
    tests: ['young keys are not looked at'],
    reason: EXPLAINS,
  },
  {
    file: 'test/platform/access/bearer-plan.test.ts',
    tests: ['the look-up of a bearer token reads by index only'],
    reason: EXPLAINS,
  },
  {
    file: 'test/platform/read-only.test.ts',
    tests: ['a plan writes no log record and no row on PostgreSQL'],
    reason: EXPLAINS,
  },
  {
    file: 'test/platform/record-search.test.ts',
    tests: ['the search of records on PostgreSQL > reads nothing but an index'],
    reason: EXPLAINS,
  },
  { file: 'test/platform/applies/statistics.test.ts', reason: EXPLAINS },
  { file: 'test/server/files-per-request.test.ts', reason: PATHS },
  { file: 'test/platform/datapoints/node-away.test.ts', reason: PLAYED },
  {
    file: 'test/platform/canaries.test.ts',
    tests: [
      'no secret comes out on PostgreSQL > in the error of a statement that fails with the secrets as its parameters',
    ],
    reason: ERRORS,
  },
  { file: 'test/platform/setpoints/state-machine.test.ts', reason: TRIGGER },
  { file: 'test/server/process/first-start.test.ts', reason: OWN_SERVER },
  { file: 'test/platform/datapoints/fleet.test.ts', reason: OWN_SERVER },
  {
    file: 'test/platform/datapoints/taken-back.test.ts',
    tests: ['nor where storage was put back to a snapshot'],
    reason: OWN_SERVER,
  },
  ...['full-disk', 'full-disk-upkeep', 'full-log-disk', 'late-flushes', 'frozen-database'].map((name) => ({
    file: `test/faults/${name}.test.ts`,
    reason: OWN_SERVER,
  })),
]

/** The reason why a test does not run on Citus, if there is one. */
export function reasonToExclude(file: string, name: string): string | undefined {
  return EXCLUSIONS.find(
    (one) => one.file === file && (one.tests === undefined || one.tests.some((begin) => name.startsWith(begin))),
  )?.reason
}
