import { HoldfastError } from '../lib/errors.ts'
import { findMissingRights, INSUFFICIENT_PRIVILEGE } from './missing-rights.ts'
import { type Migration, splitStatements } from './read-migrations.ts'
import { BOOL, INT4, TEXT } from './columns.ts'
import type { RowOf } from './row-shape.ts'
import type { Database, Sql, Transaction } from './sql.ts'
import { followLayout } from './cluster/distribute.ts'
import { underMigrationLock } from './migration-lock.ts'
import { sqlState, UNIQUE_VIOLATION } from './sql-error.ts'

const APPLIED = { version: INT4, name: TEXT, checksum: TEXT }
type AppliedMigration = RowOf<typeof APPLIED>

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version int PRIMARY KEY,
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
)`

export interface MigrationNews {
  /** Reports what the start waits for. */
  tell(text: string): void
  /** The time between two reports, in milliseconds. */
  readonly everyMs?: number
}

const NEWS_EVERY_MS = 10_000

/**
 * Brings the database up to the last migration. Several processes may call this at once: one of them applies each
 * migration, and the others wait for it. A database that is up to date is only read. The tables of new migrations are
 * distributed if the database is distributed over a cluster.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  news: MigrationNews = { tell: () => undefined },
): Promise<void> {
  try {
    await makeAll(database, migrations, news)
    await followLayout(database, news)
  } catch (error) {
    throw await namingRights(database, error)
  }
}

/** Counts the migrations that a database still needs. Throws if this version of Holdfast does not know the database. */
export async function countPending(database: Database, migrations: readonly Migration[]): Promise<number> {
  return findPending(migrations, await database.read(findApplied)).length
}

async function makeAll(database: Database, migrations: readonly Migration[], news: MigrationNews): Promise<void> {
  const applied = await database.read(findApplied)
  if (findPending(migrations, applied).length === 0) return
  await createTable(database)
  for (const migration of migrations.slice(applied.length)) {
    const waits = (): void =>
      news.tell(`Another process migrates the database; this start waits for it (next: ${migration.name})`)
    await underMigrationLock(database, waits, (sql) => applyNext(sql, { migration, all: migrations, news }))
  }
}

async function findApplied(sql: Sql): Promise<AppliedMigration[]> {
  const [table] = await sql.rows({ present: BOOL }, `SELECT to_regclass('schema_migrations') IS NOT NULL AS present`)
  return table?.present === true ? readApplied(sql) : []
}

function readApplied(sql: Sql): Promise<AppliedMigration[]> {
  return sql.rows(APPLIED, 'SELECT version, name, checksum FROM schema_migrations ORDER BY version')
}

/** Creates the table. IF NOT EXISTS is not enough: if two sessions create it at once, one of them fails. */
async function createTable(database: Database): Promise<void> {
  try {
    await database.transaction((sql) => sql.query(CREATE_TABLE))
  } catch (error) {
    const createdMeanwhile = [UNIQUE_VIOLATION, '42P07', '42710'].includes(sqlState(error) ?? '')
    if (!createdMeanwhile) throw error
  }
}

interface Applying {
  readonly migration: Migration
  readonly all: readonly Migration[]
  readonly news: MigrationNews
}

async function applyNext(sql: Transaction, { migration, all, news }: Applying): Promise<void> {
  if (!findPending(all, await readApplied(sql)).includes(migration)) return
  const { version, name, checksum } = migration
  await runStatements(sql, migration, news).catch((cause: unknown) => {
    // A full disk is not a fault of the migration. It works once there is space.
    if (cause instanceof HoldfastError) throw cause
    throw new HoldfastError('INTERNAL', `The migration ${name} failed and was rolled back: ${reasonOf(cause)}`, {
      cause,
    })
  })
  await sql.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
    version,
    name,
    checksum,
  ])
}

/** Lists the statements for an administrator if the database user lacks a right for a migration. */
async function namingRights(database: Database, error: unknown): Promise<unknown> {
  const cause = error instanceof HoldfastError ? error.cause : error
  if (sqlState(cause) !== INSUFFICIENT_PRIVILEGE) return error
  const missing = await database.read(findMissingRights).catch(() => null)
  if (missing === null) return error
  const { database: name, statements } = missing
  const message = `The user of the database lacks rights that Holdfast needs: ${reasonOf(cause)}`
  const remedy = `An administrator of PostgreSQL has to run in the database ${name}, before the next start:`
  const lines = statements.length === 0 ? '' : `. ${remedy}\n${statements.join('\n')}`
  return new HoldfastError('UNAVAILABLE', message + lines, { cause: error })
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

async function runStatements(sql: Transaction, { name, text }: Migration, news: MigrationNews): Promise<void> {
  const statements = splitStatements(text)
  const began = performance.now()
  let done = 0
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1_000)
    news.tell(`The migration ${name} is at statement ${done + 1} of ${statements.length}, after ${seconds} s`)
  }, news.everyMs ?? NEWS_EVERY_MS)
  try {
    for (const statement of statements) {
      await sql.script(statement)
      done += 1
    }
  } finally {
    clearInterval(timer)
  }
}

/** Returns the migrations that are not applied yet. Throws if the applied ones differ from the first ones here. */
function findPending(migrations: readonly Migration[], applied: readonly AppliedMigration[]): readonly Migration[] {
  for (const [index, { version, name, checksum }] of applied.entries()) {
    const migration = migrations[index]
    if (migration === undefined) throw tooNew(name, migrations.at(-1))
    if (migration.version !== version || migration.checksum !== checksum) throw changed(migration.name, name)
  }
  return migrations.slice(applied.length)
}

function tooNew(applied: string, last: Migration | undefined): HoldfastError {
  const known = last === undefined ? 'no migration' : `migrations up to ${last.name}`
  return new HoldfastError(
    'CONFLICT',
    `The database is newer than this version of Holdfast: it has the migration ${applied}, this version knows ${known}. ` +
      'Start the newer version',
  )
}

function changed(file: string, applied: string): HoldfastError {
  return new HoldfastError(
    'CONFLICT',
    `The database was made by another version of Holdfast, and this version cannot upgrade it: the migration ${file} is not the one that was applied as ${applied}. ` +
      'Export the model with that version ("npm run export -- --out DIR"), and start this version with a new database or data directory. ' +
      'If you have edited the file, restore it and put the change into a new migration',
  )
}
