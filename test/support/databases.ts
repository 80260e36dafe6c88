import { openAsBlob } from 'node:fs'
import { inject } from 'vitest'
import { openPglite } from '../../src/db/pglite/pglite.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import { MIGRATED_TEMPLATE } from './global-setup.ts'
import { captureStatements } from './captured-statements.ts'
import { holdValues } from './held-values.ts'
import { isLong } from './runs.ts'
import { copyOnNodes, dropOnNodes } from './test-cluster.ts'

export interface DatabaseKind {
  readonly name: 'PGlite' | 'PostgreSQL'
  /** A new empty database. Closing it removes it. */
  open(): Promise<Database>
  /** A new database with the project's migrations applied. */
  openMigrated(): Promise<Database>
}

export const PGLITE: DatabaseKind = {
  name: 'PGlite',
  open: () => copyPglite(inject('pgliteTemplate')),
  openMigrated: () => copyPglite(inject('migratedPgliteTemplate')),
}

export const POSTGRES: DatabaseKind = {
  name: 'PostgreSQL',
  open: () => copyPostgres('template1'),
  openMigrated: () => copyPostgres(MIGRATED_TEMPLATE),
}

/**
 * Both databases that Holdfast supports, for tests of the behaviour of a database: `describe.each(DATABASES)('… on
 * $name', ({ open }) => …)`.
 */
export const DATABASES: readonly DatabaseKind[] = [PGLITE, POSTGRES]

/** PostgreSQL alone, or both in `npm run test:long`. For tests of how Holdfast uses a database. */
export const SAMPLED_DATABASES: readonly DatabaseKind[] = isLong ? DATABASES : [POSTGRES]

/** For tests that run on any database. A test on PGlite takes about four times the CPU time. */
export const ANY_DATABASE: DatabaseKind = isLong ? PGLITE : POSTGRES

async function copyPglite(file: string): Promise<Database> {
  return captureStatements(holdValues(await openPglite('memory', { template: await openAsBlob(file) })))
}

async function copyPostgres(template: string): Promise<Database> {
  const { url, drop } = await createPostgresDatabase(template)
  const database = captureStatements(holdValues(await openPostgres(url, { maxConnections: 10 })))
  return {
    ...database,
    close: async () => {
      await database.close()
      await drop()
    },
  }
}

export interface PostgresDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** For tests that open the database themselves, several times or from several processes. */
export async function createPostgresDatabase(
  template = 'template1',
  name = `${inject('testCluster').prefix}test_${crypto.randomUUID().replaceAll('-', '')}`,
): Promise<PostgresDatabase> {
  const cluster = inject('testCluster')
  await copyOnNodes(cluster, template, name)
  return { url: `${inject('postgresUrl')}/${name}`, drop: () => dropOnNodes(cluster, name) }
}
