import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { readMigrations } from '../../src/db/read-migrations.ts'
import type { Migration } from '../../src/db/read-migrations.ts'
import { makeMigratedTemplate, makeTemplate } from './pglite-template.ts'
import { startPostgres } from './postgres-server.ts'
import { findCluster, GIVEN_URL, prepareTemplates, removeDatabases, type TestCluster } from './test-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the PostgreSQL server without a database name. */
    readonly postgresUrl: string
    readonly testCluster: TestCluster
    /** Files that hold dumped PGlite data directories. */
    readonly pgliteTemplate: string
    readonly migratedPgliteTemplate: string
  }
}

/** The PostgreSQL database that `openMigrated` copies. */
export const MIGRATED_TEMPLATE = 'migrated'

/** Makes the templates of the tests' databases. Without PostgreSQL the run fails here, and no test is skipped. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const migrations = await readMigrations(new URL('../../src/db/migrations/', import.meta.url))
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-templates-'))
  const [{ cluster, stop }] = await Promise.all([
    preparePostgres(migrations),
    preparePglite(project, directory, migrations),
  ])
  project.provide('testCluster', cluster)
  project.provide('postgresUrl', cluster.nodes[0])
  return async () => {
    rmSync(directory, { recursive: true, force: true })
    await stop()
  }
}

/** Uses the server of `HOLDFAST_TEST_DATABASE_URL`, or starts one for this run. */
async function preparePostgres(
  migrations: readonly Migration[],
): Promise<{ cluster: TestCluster; stop(): Promise<void> }> {
  if (GIVEN_URL !== undefined) {
    const cluster = await findCluster(GIVEN_URL)
    await prepareTemplates(cluster, migrations)
    return { cluster, stop: () => removeDatabases(cluster) }
  }
  const { url, stop } = await startPostgres()
  const cluster: TestCluster = { nodes: [url], isCitus: false, prefix: '' }
  await prepareTemplates(cluster, migrations)
  return { cluster, stop }
}

async function preparePglite(project: TestProject, directory: string, migrations: readonly Migration[]): Promise<void> {
  const template = await makeTemplate()
  project.provide('pgliteTemplate', template)
  project.provide('migratedPgliteTemplate', await makeMigratedTemplate(template, directory, migrations))
}
