import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPglite } from '../../src/db/pglite/pglite.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import { createPostgresDatabase } from './databases.ts'
import { MIGRATED_TEMPLATE } from './global-setup.ts'
import { isLong } from './runs.ts'
import { putMigratedPglite } from './migrated-pglite.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

export const SERVER_PROGRAM = fileURLToPath(new URL('../server/serve-program.ts', import.meta.url))

/** A place for the data of server processes: one after the other, or several at once on PostgreSQL. */
export interface DataPlace {
  readonly name: 'PGlite' | 'PostgreSQL'
  readonly directory: string
  readonly env: { readonly [name: string]: string }
  /** The database itself. No server may have it open. */
  open(): Promise<Database>
  remove(): Promise<void>
}

export async function placeOnPglite(): Promise<DataPlace> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-place-'))
  putMigratedPglite(directory)
  return {
    name: 'PGlite',
    directory,
    env: { HOLDFAST_DATA_DIR: directory },
    open: () => openPglite(join(directory, 'pglite')),
    remove: async () => rmSync(directory, { recursive: true }),
  }
}

export async function placeOnPostgres(): Promise<DataPlace> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-place-'))
  const { url, drop } = await createPostgresDatabase(MIGRATED_TEMPLATE)
  return {
    name: 'PostgreSQL',
    directory,
    env: { HOLDFAST_DATA_DIR: directory, DATABASE_URL: url, HOLDFAST_KEY: 'ab'.repeat(32) },
    open: () => openPostgres(url, { maxConnections: 2 }),
    remove: async () => {
      rmSync(directory, { recursive: true })
      await drop()
    },
  }
}

/** `describe.each(DATA_PLACES)('… on $name', ({ make }) => …)` */
export const DATA_PLACES = [
  { name: 'PGlite', make: placeOnPglite },
  { name: 'PostgreSQL', make: placeOnPostgres },
] as const

/** For tests that run on any place. */
export const placeOnAny = isLong ? placeOnPglite : placeOnPostgres

/** Starts a server in a separate process. `program` replaces the program that only serves. */
export function startServerAt(
  { env }: DataPlace,
  more: NodeJS.ProcessEnv = {},
  program: readonly string[] = [SERVER_PROGRAM],
): Promise<ServerProcess> {
  return startServerProcess(program, {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], PORT: '0', ...env, ...more },
  })
}

export async function onDatabaseOf<T>(place: DataPlace, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await place.open()
  return work(database).finally(() => database.close())
}
