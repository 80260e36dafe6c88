import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { TEXT } from '../../../src/db/columns.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import { readMigrations } from '../../../src/db/read-migrations.ts'
import type { Database } from '../../../src/db/sql.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { identifyBearer } from '../../../src/platform/access/sessions/identify-bearer.ts'
import { listSessions } from '../../../src/platform/access/sessions/sessions.ts'
import { tokenHash } from '../../../src/platform/access/sessions/token-hash.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { planRollback } from '../../../src/platform/imports/applying/roll-back.ts'
import { listApplies, listApplyChanges } from '../../../src/platform/imports/history/applies.ts'
import { typeThatSignsIn } from '../../../src/records/registry.ts'
import { Secret } from '../../../src/records/secret.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { ArtifactAdapter } from '../../../src/server/oidc/artifact-adapter.ts'
import { findPrincipalByKey } from '../../../src/store/access/principals.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { fetchAllRecords } from '../../../src/store/model/records.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { acknowledging, makeDomain } from '../../support/domain.ts'
import { historyOf } from '../datapoints/history.ts'

// Databases that earlier commits have filled keep working after the migrations since: see README.md beside this.

interface Dump {
  readonly told: {
    readonly applies: readonly string[]
    readonly system: string
    readonly device: { readonly username: string; readonly password: string }
  }
  readonly sequences: readonly { readonly name: string; readonly value: string }[]
  /** All rows as JSON, by table. */
  readonly rows: { readonly [table: string]: readonly object[] }
}

let postgres: PostgresDatabase
let database: Database
afterEach(async () => {
  await database.close()
  await postgres.drop()
})

/** A database as a commit with that many migrations has left it, which is then upgraded. */
async function upgraded(commit: string, migrations: number): Promise<{ context: DomainContext; told: Dump['told'] }> {
  const packed = readFileSync(new URL(`${commit}.json.gz`, import.meta.url))
  const { told, sequences, rows } = JSON.parse(gunzipSync(packed).toString()) as Dump
  postgres = await createPostgresDatabase()
  database = await openPostgres(postgres.url, { maxConnections: 4 })
  const all = await readMigrations(new URL('../../../src/db/migrations/', import.meta.url))
  await migrate(database, all.slice(0, migrations))
  await database.transaction(async (sql) => {
    // Rows come in any order, so nothing may look at what they refer to.
    await sql.setLocal({ session_replication_role: 'replica' })
    for (const [table, lines] of Object.entries(rows)) {
      const columns = await sql.rows(
        { name: TEXT },
        `select column_name::text as name from information_schema.columns
         where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
        [table],
      )
      const names = columns.map(({ name }) => name).join(', ')
      await sql.query(`delete from ${table}`)
      await sql.query(
        `insert into ${table} (${names}) overriding system value
         select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
        [JSON.stringify(lines)],
      )
    }
    for (const { name, value } of sequences) await sql.query(`select setval('${name}', ${value})::text as set`)
  })
  await migrate(database, all)
  return { context: await makeDomain(database), told }
}

const sourcesOf = async ({ database, domain }: DomainContext) => {
  const records = await readDomain(database, domain.id, (sql) => fetchAllRecords(sql, domain.id, ['dataSources']))
  return records.map(({ key, body }) => [key, body['name']]).toSorted()
}

const NOON = 1_760_000_000_000

/** The points that both commits were sent. */
function sent(valueOf: (index: number) => unknown) {
  return Array.from({ length: 40 }, (_, index) => [(NOON + index * 60_000) * 1_000, valueOf(index)])
}

describe.each([
  ['db5450fc', 13],
  ['be22cb7a', 17],
])('a database of commit %s, upgraded', (commit, migrations) => {
  it('tells what its applies did, and takes the last one back', async () => {
    const { context, told } = await upgraded(commit, migrations)
    const last = told.applies.at(-1) ?? ''
    expect((await listApplies(context, 10, null)).map(({ uuid }) => uuid)).toEqual(
      expect.arrayContaining([...told.applies]),
    )
    expect((await listApplyChanges(context, last)).map(({ action, key }) => [action, key]).toSorted()).toStrictEqual([
      ['delete', 'b'],
      ['update', 'a'],
    ])
    const { plan } = await planRollback(context, last, NO_SETTINGS)
    const settings = acknowledging(plan)
    await applyImport(context, { document: {}, settings, plan, origin: { rollbackOf: last } })
    expect(await sourcesOf(context)).toStrictEqual([
      ['a', 'First'],
      ['b', 'Second'],
    ])
  })

  it('has each of its points', async () => {
    const { context } = await upgraded(commit, migrations)
    expect(await historyOf(context)).toStrictEqual({
      'Sensor 0 count': sent(BigInt),
      'Sensor 0 note': sent((index) => `Grüße ${index}`),
      'Sensor 0 open': sent((index) => (index % 2 === 0 ? 1 : 0)),
      'Sensor 0 temperature': sent((index) => 20 + index / 8),
    })
  })

  it('knows its sessions, its tokens and its passwords', async () => {
    const { context, told } = await upgraded(commit, migrations)
    const ada = await findAccountByLogin(context, 'person', 'ada@example.org')
    const sessions = await listSessions(context, ada?.uuid ?? '', tokenHash('of the console'))
    expect(sessions).toMatchObject([{ isCurrent: true }])
    const found = (kind: string, id: string) => new ArtifactAdapter(kind, context, 'https://example.org').find(id)
    expect(await found('Session', 'session')).toMatchObject({ accountId: ada?.uuid, uid: 'ada' })
    expect(await found('RefreshToken', 'refresh')).toMatchObject({ accountId: ada?.uuid, grantId: 'grant' })
    const good = ['of the console', 'of the robot', 'of the device'].map((token) => identifyBearer(context, token))
    expect(await Promise.all(good)).toMatchObject([
      { name: 'ada@example.org', isDevice: false },
      { name: 'robot', isDevice: false },
      { name: told.device.username, isDevice: true, systemUuid: told.system },
    ])
    const machine = typeThatSignsIn('machine')
    for (const [key, password] of [
      ['robot', 'robot-Xk29-lamp-orchard-71'],
      [told.device.username, told.device.password],
    ] as const) {
      const principal = await readDomain(database, context.domain.id, (sql) =>
        findPrincipalByKey(sql, context.domain.id, { type: machine.name, key }),
      )
      expect(await context.secrets.check(machine, new Secret(password), principal?.hash ?? '')).toBe(true)
    }
  })
})
