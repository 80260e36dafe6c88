import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeConfiguration } from '../../../src/auth/method-configuration.ts'
import { INT8, TEXT } from '../../../src/db/columns.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { RowOf } from '../../../src/db/row-shape.ts'
import type { Database } from '../../../src/db/sql.ts'
import { identifyBearer } from '../../../src/platform/access/sessions/identify-bearer.ts'
import { identifierOf } from '../../../src/platform/access/clients/clients.ts'
import { GrantKeeper } from '../../../src/platform/access/grants/grant-keeper.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { giveToken, makeMachine } from '../../support/access.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'

// A look-up that reads a table from its beginning to its end is fast in every test and stops the platform in use. It
// must not happen when PostgreSQL knows nothing of tables that have grown, nor in a connection that is older than them.

let postgres: PostgresDatabase
let database: Database
let context: DomainContext
beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  // One connection: it also keeps the plan that it made first.
  database = await openPostgres(postgres.url, { maxConnections: 1 })
  context = await makeDomain(database)
})
afterAll(async () => {
  await database.close()
  await postgres.drop()
})

const TABLES = ['artifacts', 'authentication_methods', 'platform_records', 'records']

const READS = { table: TEXT, whole: INT8, rows: INT8 }

/** How often each table was read as a whole, and how many of its rows by an index, so far. */
async function reads(): Promise<RowOf<typeof READS>[]> {
  await database.statement('select pg_stat_force_next_flush()')
  return database.rows(
    READS,
    `select relname::text as "table", seq_scan as whole, coalesce(idx_tup_fetch, 0) as rows
     from pg_stat_user_tables where relname = any ($1) order by relname`,
    [TABLES],
  )
}

/** 100,000 of each, and among them a consumer and a method. */
async function fill(): Promise<{ clientId: string; methodUuid: string }> {
  const [consumer, method] = [crypto.randomUUID(), crypto.randomUUID()]
  await database.transaction(async (sql) => {
    const many = `from generate_series(1, 100000) n`
    await sql.query(
      `insert into artifacts (domain_id, kind, hash, payload, grant_id, account_uuid, issued_at, expires_at)
       select $1, 'AccessToken', sha256(n::text::bytea), '{}', n::text, gen_random_uuid(), now(), now() ${many}`,
      [context.domain.id],
    )
    await sql.query(
      `insert into records (domain_id, uuid, type, key, body, digest, created_at, updated_at)
       select $1, gen_random_uuid(), 'users', n::text, '{}', '', now(), now() ${many}`,
      [context.domain.id],
    )
    await sql.query(
      `insert into platform_records (domain_id, uuid, type, key, body, created_at)
       select $1, gen_random_uuid(), 'users', 'p' || n, '{"status": "ACTIVATED"}', now() ${many}`,
      [context.domain.id],
    )
    await sql.query(
      `insert into platform_records (domain_id, uuid, type, key, body, created_at)
       values ($1, $2::uuid, 'applicationConsumers', 'app', '{"status": "ACTIVATED"}', now())`,
      [context.domain.id, consumer],
    )
    await sql.query(
      `insert into authentication_methods (domain_id, uuid, kind, name, status, configuration, created_at, updated_at)
       values ($1, $2::uuid, 'openid-delegated', 'them', 'ACTIVATED', $3::jsonb, now(), now())`,
      [
        context.domain.id,
        method,
        JSON.stringify(completeConfiguration({ clientId: 'us', issuer: 'https://them.example' })),
      ],
    )
  })
  return { clientId: identifierOf({ key: 'app', uuid: consumer }), methodUuid: method }
}

/** As a process that remembers nobody. */
const identifyAnew = (token: string) => identifyBearer({ ...context, grants: new GrantKeeper(database) }, token)

test('the look-up of a bearer token reads by index only, however the tables have grown behind its back', async () => {
  await database.script('analyze')
  for (let call = 0; call < 10; call += 1) expect(await identifyAnew('before anything was there')).toBeNull()
  const { clientId, methodUuid } = await fill()
  const account = await makeMachine(context, 'operator')
  const token = await giveToken(context, account, { clientId, methodUuid })
  const before = await reads()
  const calls = 100
  for (let call = 0; call < calls; call += 1) expect((await identifyAnew(token))?.clientId).toBe(clientId)
  const after = await reads()
  const difference = after.map(({ table, whole, rows }, n) => {
    const [wholeBefore, rowsBefore] = [before[n]?.whole ?? 0, before[n]?.rows ?? 0]
    return { table, whole: whole - wholeBefore, rowsOfEachCall: (rows - rowsBefore) / calls }
  })
  expect(difference).toStrictEqual([
    { table: 'artifacts', whole: 0, rowsOfEachCall: 1 },
    { table: 'authentication_methods', whole: 0, rowsOfEachCall: 1 },
    { table: 'platform_records', whole: 0, rowsOfEachCall: 2 },
    { table: 'records', whole: 0, rowsOfEachCall: 0 },
  ])
})

const session = () =>
  database.statement(
    `select current_user::text as "user", current_setting('enable_seqscan') as "mayReadTables",
       nullif(current_setting('holdfast.domain_id', true), '') as domain`,
  )

test('the look-up leaves the connection as it was', async () => {
  const before = await session()
  expect(before).toMatchObject([{ mayReadTables: 'on', domain: null }])
  await identifyBearer(context, 'anything')
  expect(await session()).toStrictEqual(before)
})
