import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { PATIENCE } from './test/support/patience.ts'

// Node keeps what it has compiled, for the tests and for the hundreds of processes that they start.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/holdfast/compiled', import.meta.url))

/** Nothing in these folders needs a database; a file that asks for one fails. */
const PURE = ['auth', 'client', 'codegen', 'datapoints', 'documents', 'plan', 'records', 'scripts', 'store']
const PURE_FILES = [
  ...PURE.map((folder) => `test/${folder}/**/*.test.ts`),
  'test/{architecture,closed-sets,pattern-time,plain-comments}.test.ts',
]

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ['dot', './test/reporter.ts'],
    // Many times as much is tried in `npm run test:long`. A limit only ends a test that hangs; it measures nothing, because
    // other programs may use the machine, too.
    testTimeout: mode === 'long' ? 900_000 : 180_000,
    hookTimeout: mode === 'long' ? 300_000 : 180_000,
    expect: { poll: PATIENCE },
    // A PGlite takes a few hundred megabytes; more files at once gain nothing on the machines that CI gives.
    maxWorkers: 2,
    // Child processes rather than threads: some tests send signals to their own process or change its directory.
    pool: 'forks',
    // To start a process and load Holdfast takes longer than most files, so the files share two processes.
    isolate: false,
    // Node runs the tests as it runs Holdfast.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // `npm run test:long`
    ...(mode === 'long' && { env: { TEST_LONG: '1' } }),
    // `npm run pictures`
    ...(mode === 'pictures' && { env: { DRAW_PICTURES: '1' } }),
    projects: [
      { extends: true, test: { name: 'pure', include: PURE_FILES, setupFiles: ['test/support/property-seed.ts'] } },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          exclude: PURE_FILES,
          setupFiles: [
            'test/support/cheap-hashes.ts',
            'test/support/property-seed.ts',
            'test/support/starter.ts',
            'test/support/exclude-on-citus.ts',
          ],
          globalSetup: ['test/support/global-setup.ts'],
        },
      },
    ],
  },
}))
