import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import { HoldfastError } from '../../src/lib/errors.ts'
import { applyImport, type ApplyRequest } from '../../src/platform/imports/applying/apply-import.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { dumpTables } from '../support/table-dump.ts'
import { isLong } from '../support/runs.ts'
import { prepareSample, sampleDomain, statementsOf } from './sample.ts'

/** From one statement at which it is lost to the next; the last one is the commit. */
const STEP = isLong ? 1 : 4

let place: PostgresDatabase
let administrator: Database
/** A pool of two, so that one lost connection that is not replaced is soon missed. */
let database: Database
let context: DomainContext
let request: ApplyRequest

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  administrator = await openPostgres(place.url, { maxConnections: 1 })
  database = await openPostgres(place.url, { maxConnections: 2 })
  context = await sampleDomain(database)
  request = await prepareSample(context)
})
afterAll(async () => {
  await database.close()
  await administrator.close()
  await place.drop()
})

const OPEN = `from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state = 'idle in transaction'`

/** As an administrator or a restart does; returns when the server's side of the one transaction is gone. */
async function endTransaction(): Promise<void> {
  // Nobody waits for the end of one that has only read.
  while ((await administrator.statement(`select 1 ${OPEN}`)).length > 1);
  const ended = await administrator.statement(`select pg_terminate_backend(pid, 60000) ${OPEN}`)
  if (ended.length !== 1) throw new Error(`${ended.length} transactions were ended`)
}

it(
  'loses nothing and says so when the connection is lost before any statement of an apply',
  { timeout: 180_000 },
  async () => {
    const before = await dumpTables(administrator)
    const planNow = async () => (await planImport(context, request.document, request.settings)).plan
    const statements = await statementsOf(context, request)
    // A transaction goes to the database with its first statement that is not a setting: before it, nothing is lost.
    const isSetting = (at: number): boolean => statements[at]?.startsWith('set local') === true
    for (const [index, statement] of statements.entries()) {
      if (isSetting(index) || isSetting(index - 1) || (index % STEP !== 0 && statement !== 'COMMIT')) continue
      const error = await applyWithout(index + 1)
      expect(error).toBeInstanceOf(HoldfastError)
      expect(error).toMatchObject({ code: 'UNAVAILABLE', details: [] })
      expect((error as Error).message).toMatch(statement === 'COMMIT' ? LOST_AT_COMMIT : LOST)
      expect(await dumpTables(administrator)).toStrictEqual(before)
      expect(await planNow()).toStrictEqual(request.plan)
    }
    await applyImport(context, request)
    expect((await planNow()).outcome).toBe('no-changes')
  },
)

const LOST = /^The connection to the database was lost and nothing was changed; try again$/
const LOST_AT_COMMIT = /^The connection to the database was lost at the last moment: .* as a whole or not at all/

/** Makes the apply and loses the connection before one of its statements; gives what it failed with. */
async function applyWithout(boundary: number): Promise<unknown> {
  const counting = countingDatabase(database, async ({ number }) => {
    if (number === boundary) await endTransaction()
  })
  return applyImport({ ...context, database: counting }, request).catch((reason: unknown) => reason)
}
