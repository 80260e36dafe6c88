import { readFileSync } from 'node:fs'
import { DATABASE_SETTING } from '../src/db/database-identity.ts'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import { readMigrations } from '../src/db/read-migrations.ts'
import { sqlState } from '../src/db/sql-error.ts'
import { encodeValue, type Database, type Sql, type SqlValue, type Transaction } from '../src/db/sql.ts'
import { isObject } from '../src/lib/json.ts'
import { claimSlot } from '../src/store/datapoints/arriving/writer-slots.ts'
import { bufferTable, buffersOf } from '../src/store/datapoints/packed/partitions.ts'
import type { Captured } from '../test/support/captured-statements.ts'

/** The machines that run a statement. `local`: the one that was asked, as on any PostgreSQL without Citus. */
export type Reach = 'one shard' | 'all shards' | 'local' | 'not explained'

export interface Outcome {
  readonly statement: Captured
  readonly reach: Reach
  /** Absent if the server accepted the statement. */
  readonly error?: string
}

/**
 * Errors about values, such as a reference to a row that the database does not have. The statement itself has run. An
 * empty number is the setting of a domain on a machine that did not get it.
 */
const OF_VALUES = /^(?!22P02 invalid input syntax for type bigint: "")2[23]|^XX000 no partition of relation/

/** Citus calls a distributed function on the machine of the domain only outside a transaction. */
const WITHOUT_EFFECT = /^\s*select\b(?!.*\bstore_flush\()/s

/**
 * Runs each statement in a transaction that it rolls back. The database must be for this alone: it is migrated, and gets
 * the domains and a buffer that the statements name.
 */
export async function replay(url: string, statements: readonly Captured[]): Promise<readonly Outcome[]> {
  const database = await openPostgres(url, { maxConnections: 2, statementMs: 20_000 })
  try {
    await migrate(database, await readMigrations(new URL('../src/db/migrations/', import.meta.url)))
    await makeDomains(database, statements)
    const { slot } = await claimSlot(database, crypto.randomUUID())
    const [buffer] = buffersOf(slot)
    const outcomes: Outcome[] = []
    for (const captured of statements) {
      const text = captured.text.replaceAll(/\bdatapoints_hot_\d+\b/g, bufferTable(buffer))
      const statement = { ...captured, text }
      const error = await refusalOf(database, statement)
      const reach = error === undefined ? await reachOf(database, statement) : 'not explained'
      outcomes.push({ statement, reach, ...(error !== undefined && { error }) })
    }
    return outcomes
  } finally {
    await database.close()
  }
}

async function makeDomains(database: Database, statements: readonly Captured[]): Promise<void> {
  const ids = new Set(['1', ...statements.flatMap(({ settings }) => settings['holdfast.domain_id'] ?? [])])
  await database.statement(
    `insert into domains (id, uuid, slug, name, host_names) overriding system value
     select id, gen_random_uuid(), 'replayed-' || id, '', '{}' from unnest($1::bigint[]) id on conflict do nothing`,
    [[...ids]],
  )
}

async function refusalOf(database: Database, statement: Captured): Promise<string | undefined> {
  try {
    if (statement.kind === 'alone' && WITHOUT_EFFECT.test(statement.text))
      await database.statement(statement.text, statement.values.map(fromJson))
    else await rolledBack(database, statement, (sql, values) => send(sql, statement, values))
    return undefined
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const refusal = `${sqlState(reason) ?? ''} ${reason instanceof Error ? reason.message : String(reason)}`
    return OF_VALUES.test(refusal) ? undefined : refusal
  }
}

/** Reads from a cursor, too, because Citus may refuse that alone. */
async function send(sql: Sql | Transaction, { text, kind }: Captured, values: readonly SqlValue[]): Promise<void> {
  const [data] = values
  if (kind === 'copy' && 'copyIn' in sql && data instanceof Uint8Array) return sql.copyIn(text, data)
  await sql.query(text, values)
  const cursor = /^\s*declare (\w+)/.exec(text)?.[1]
  if (cursor !== undefined) await sql.query(`fetch all from ${cursor}`)
}

const EXPLAINED = /^\s*(?:select|insert|update|delete|with|declare)\b/

async function reachOf(database: Database, statement: Captured): Promise<Reach> {
  if (!EXPLAINED.test(statement.text)) return 'not explained'
  // Citus does not explain some statements with parameters.
  const text = statement.text.replaceAll(/\$(\d+)/g, (_, place) => literal(statement.values[Number(place) - 1] ?? null))
  const explained = `explain (format json, costs off) ${text}`
  const plan = await rolledBack(database, statement, (sql) => sql.query(explained)).catch(() => null)
  if (plan === null) return 'not explained'
  const tasks = taskCounts(plan)
  return tasks.length === 0 ? 'local' : Math.max(...tasks) > 1 ? 'all shards' : 'one shard'
}

function literal(value: Captured['values'][number]): string {
  if (value === null) return 'null'
  const text =
    isObject(value) && 'base64' in value ? `\\x${bytesOf(value).toString('hex')}` : String(encodeValue(value))
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

function taskCounts(plan: unknown): readonly number[] {
  if (Array.isArray(plan)) return plan.flatMap(taskCounts)
  if (!isObject(plan)) return []
  return Object.entries(plan).flatMap(([name, value]) => (name === 'Task Count' ? Number(value) : taskCounts(value)))
}

class RollBack extends Error {}

/** Runs `work` with the settings of the statement, in a transaction that is rolled back. */
async function rolledBack<T>(
  database: Database,
  { settings, values, isReading }: Captured,
  work: (sql: Sql | Transaction, values: readonly SqlValue[]) => Promise<T>,
): Promise<T> {
  let result: { readonly of: T } | undefined
  const run = async (sql: Sql | Transaction): Promise<void> => {
    // Statements that are sent alone compare the setting of their connection with their last value.
    await sql.setLocal({ [DATABASE_SETTING]: String(values.at(-1)), ...settings })
    result = { of: await work(sql, values.map(fromJson)) }
    throw new RollBack()
  }
  const ran = isReading ? database.read(run) : database.transaction(run)
  await ran.catch((error: unknown) => {
    if (!(error instanceof RollBack)) throw error
  })
  if (result === undefined) throw new Error('a transaction ended without its work')
  return result.of
}

function fromJson(value: Captured['values'][number]): SqlValue {
  return isObject(value) && 'base64' in value ? bytesOf(value) : value
}

function bytesOf({ base64 }: { readonly base64?: unknown }): Buffer {
  return Buffer.from(String(base64), 'base64')
}

export function readStatements(file: string): readonly Captured[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Captured)
}
