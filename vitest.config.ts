import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Vite would take graphql's ES modules where graphql-yoga loads CommonJS, and the two do not know each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['dot', './test/reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Child processes rather than threads: some tests send signals to their own process or change its directory.
    pool: 'forks',
    // A PGlite takes a few hundred megabytes; more files at once gain nothing on the machines that CI gives.
    maxWorkers: 2,
  },
})
