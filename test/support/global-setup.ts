import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { readMigrations } from '../../src/db/read-migrations.ts'
import type { Migration } from '../../src/db/read-migrations.ts'
import { makeMigratedTemplate, makeTemplate } from './pglite-template.ts'
import { startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the PostgreSQL server without a database name. */
    readonly postgresUrl: string
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
  const [server] = await Promise.all([preparePostgres(migrations), preparePglite(project, directory, migrations)])
  project.provide('postgresUrl', server.url)
  return async () => {
    rmSync(directory, { recursive: true, force: true })
    await server.stop()
  }
}

async function preparePostgres(migrations: readonly Migration[]): ReturnType<typeof startPostgres> {
  const server = await startPostgres()
  const admin = await openPostgres(`${server.url}/postgres`, { maxConnections: 1 })
  await admin.script(`CREATE DATABASE ${MIGRATED_TEMPLATE}`)
  await admin.close()
  const template = await openPostgres(`${server.url}/${MIGRATED_TEMPLATE}`, { maxConnections: 1 })
  await migrate(template, migrations)
  await template.close()
  return server
}

async function preparePglite(project: TestProject, directory: string, migrations: readonly Migration[]): Promise<void> {
  const template = await makeTemplate()
  project.provide('pgliteTemplate', template)
  project.provide('migratedPgliteTemplate', await makeMigratedTemplate(template, directory, migrations))
}
