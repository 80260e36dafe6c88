import { existsSync, mkdirSync, openAsBlob, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../src/db/migrate.ts'
import { dumpPglite } from '../../src/db/pglite/pglite.ts'
import type { Migration } from '../../src/db/read-migrations.ts'

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** An empty database. It is kept between runs, because making it takes longer than anything else in the set-up. */
export async function makeTemplate(): Promise<string> {
  const folder = join(MODULES, '.cache', 'holdfast')
  const file = join(folder, `pglite-${pgliteVersion()}.tar`)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  await writeDump(unfinished, await dumpPglite(async () => {}))
  renameSync(unfinished, file)
  return file
}

/** The same with the project's migrations. Every run makes it anew. */
export async function makeMigratedTemplate(
  template: string,
  directory: string,
  migrations: readonly Migration[],
): Promise<string> {
  const file = join(directory, 'migrated.tar')
  const options = { template: await openAsBlob(template) }
  await writeDump(file, await dumpPglite((database) => migrate(database, migrations), options))
  return file
}

async function writeDump(file: string, dump: Blob): Promise<void> {
  writeFileSync(file, await dump.bytes())
}

function pgliteVersion(): string {
  const text = readFileSync(join(MODULES, '@electric-sql', 'pglite', 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
