import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INT8, TEXT } from '../../src/db/columns.ts'
import type { Database, Sql } from '../../src/db/sql.ts'
import { findApply, listApplies } from '../../src/platform/imports/history/applies.ts'
import { applyImport } from '../../src/platform/imports/applying/apply-import.ts'
import { createRecord, deleteRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { planImport } from '../../src/platform/imports/planning/plan-import.ts'
import { planRollback } from '../../src/platform/imports/applying/roll-back.ts'
import { DOCUMENT_TYPE_NAMES } from '../../src/records/record-type.ts'
import { fetchApplies } from '../../src/store/model/applies.ts'
import { readDomain, writeDomain } from '../../src/store/domains.ts'
import { fetchAllRecords, fetchDigests } from '../../src/store/model/records.ts'
import { fetchSecrets } from '../../src/store/model/secrets.ts'
import { SAMPLED_DATABASES, POSTGRES } from '../support/databases.ts'
import { acknowledging, applyAll, emptyDomain, makeDomain, plan } from '../support/domain.ts'

/** The same keys and the same secret in both domains. */
function model(name: string): object {
  return {
    applicationConsumers: [{ slug: 'portal', name, secret: 'Shared-8vNq3Xw6Lz9Kt2Rb5Mf', grantTypes: ['PASSWORD'] }],
    characteristics: [{ code: 'temperature', name, characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }],
    services: [{ code: 'climate', name, characteristics: [{ code: 'temperature' }] }],
  }
}

let database: Database
let red: DomainContext
let blue: DomainContext
let tables: readonly string[]

async function openDatabase(open: () => Promise<Database>): Promise<void> {
  database = await open()
  const found = await database.read((sql) =>
    sql.rows(
      { name: TEXT },
      // A partition is read by its table alone.
      `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'domain_id'
       where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace order by 1`,
    ),
  )
  tables = found.map(({ name }) => name)
}

/** Both as they are at first, whatever a test has made of them. */
async function makeDomains(): Promise<void> {
  red = await makeDomain(database, 'red', 'rita')
  blue = await makeDomain(database, 'blue', 'bob')
  for (const domain of [red, blue]) await emptyDomain(domain)
  await applyAll(red, model('Red'))
  await applyAll(blue, model('Blue'))
}

function count(sql: Sql, from: string): Promise<number> {
  return sql.rows({ count: INT8 }, `select count(*) as count from ${from}`).then(([row]) => row?.count ?? -1)
}

/** Everything that belongs to one domain, as text. */
async function dumpDomain({ domain }: DomainContext): Promise<readonly object[]> {
  return database.read(async (sql) => {
    const dump = [await sql.query(`select t::text from domains t where id = $1`, [domain.id])]
    for (const table of tables)
      dump.push(await sql.query(`select t::text from ${table} t where domain_id = $1 order by 1`, [domain.id]))
    return dump
  })
}

describe.each(SAMPLED_DATABASES)('two domains in one database on $name', ({ openMigrated }) => {
  beforeAll(() => openDatabase(openMigrated))
  beforeEach(makeDomains)
  afterAll(() => database.close())

  it('each have their own records under the same keys, and plan against these alone', async () => {
    expect((await plan(red, model('Red'))).outcome).toBe('no-changes')
    expect((await plan(blue, model('Blue'))).outcome).toBe('no-changes')
    expect((await plan(red, model('Blue'))).summary).toMatchObject({ create: 0, update: 3, delete: 0 })
    expect(JSON.stringify(await exportDocument(red, null))).not.toContain('Blue')
  })

  it('are untouched by what is planned, applied, changed and rolled back in the other', async () => {
    const before = await dumpDomain(blue)
    await updateRecord(red, 'characteristics', 'temperature', { name: 'Changed' }, [])
    await createRecord(red, 'dataSources', { code: 'new' }, [])
    await deleteRecord(red, 'services', 'climate', [])
    const { uuid } = await applyAll(red, { characteristics: [], services: [], applicationConsumers: [] })
    const settings = acknowledging((await planRollback(red, uuid, { acknowledge: [], protect: [], moved: [] })).plan)
    const { plan: inverse } = await planRollback(red, uuid, settings)
    await applyImport(red, { document: {}, settings, plan: inverse, origin: { rollbackOf: uuid } })
    expect((await plan(red, model('Red'))).summary.delete).toBe(0)
    expect(await dumpDomain(blue)).toStrictEqual(before)
  })

  it('know nothing of the applies of the other, not even when one has the same id', async () => {
    const [theirs] = await listApplies(blue, 10, null)
    const uuid = theirs?.uuid ?? ''
    await expect(findApply(red, uuid)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(planRollback(red, uuid, { acknowledge: [], protect: [], moved: [] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const apply = await applyAll(red, model('Crimson'), undefined, { applyId: uuid })
    expect(apply.actor).toBe('rita')
    expect(await findApply(blue, uuid)).toStrictEqual(theirs)
  })

  it('refuse the reviewed plan of the other', async () => {
    const document = model('New')
    const { plan: reviewed } = await planImport(red, document, null)
    const before = await dumpDomain(blue)
    await expect(applyImport(blue, { document, settings: null, plan: reviewed, origin: {} })).rejects.toThrow(
      /was made for the domain "red"/,
    )
    expect(await dumpDomain(blue)).toStrictEqual(before)
  })

  it('do not show by their fingerprints that they have a secret in common', async () => {
    const [one, other] = await Promise.all(
      [red, blue].map(({ domain }) =>
        readDomain(database, domain.id, (sql) => fetchSecrets(sql, domain.id, ['applicationConsumers'])),
      ),
    )
    expect(one?.[0]?.fingerprint).not.toBe(other?.[0]?.fingerprint)
  })

  it('stay apart when the code asks for the wrong one: the second wall answers nothing', async () => {
    const wrong = blue.domain.id
    await readDomain(database, red.domain.id, async (sql) => {
      expect(await fetchAllRecords(sql, wrong, DOCUMENT_TYPE_NAMES)).toStrictEqual([])
      expect(await fetchDigests(sql, wrong)).toStrictEqual(new Map())
      expect(await fetchSecrets(sql, wrong, DOCUMENT_TYPE_NAMES)).toStrictEqual([])
      expect(await fetchApplies(sql, wrong, 10, null)).toStrictEqual([])
      for (const table of tables) expect(await count(sql, `${table} where domain_id <> ${red.domain.id}`)).toBe(0)
      expect(await count(sql, 'records')).toBeGreaterThan(0)
      expect(await count(sql, 'domains')).toBe(1)
    })
  })

  it('cannot be written from the other, whatever domain a statement names', async () => {
    const before = await dumpDomain(blue)
    const wrong = blue.domain.id
    await writeDomain(database, red.domain.id, async (sql) => {
      await sql.query(`update records set key = 'stolen' where domain_id = $1`, [wrong])
      await sql.query(`delete from record_secrets where domain_id = $1`, [wrong])
      await sql.query(`update domain_state set model_version = 0 where domain_id = $1`, [wrong])
    })
    const hand = (statement: string) => writeDomain(database, red.domain.id, (sql) => sql.query(statement, [wrong]))
    await expect(hand(`update domains set name = 'stolen' where id = $1`)).rejects.toThrow(/permission denied/)
    await expect(hand(`update record_secrets set domain_id = $1`)).rejects.toThrow(/row-level security|partition value/)
    await expect(
      hand(
        `insert into record_drift (domain_id, type, key, actor, changed_at) values ($1, 'services', 'x', 'x', '2026-01-01Z')`,
      ),
    ).rejects.toThrow(/row-level security|partition value/)
    expect(await dumpDomain(blue)).toStrictEqual(before)
  })

  it('keep a history that the work on a domain can only add to', async () => {
    for (const table of ['applies', 'apply_changes', 'apply_secrets']) {
      for (const statement of [`delete from ${table}`, `update ${table} set uuid = uuid`]) {
        const forging = writeDomain(database, red.domain.id, (sql) =>
          sql.query(statement.replace('uuid = uuid', 'domain_id = domain_id')),
        )
        await expect(forging).rejects.toThrow(/permission denied/)
      }
    }
  })

  it('are left when the transaction ends: the next one on the connection has the rights of the platform again', async () => {
    await readDomain(database, red.domain.id, (sql) => sql.query('select 1'))
    expect(await database.read((sql) => count(sql, 'domains'))).toBe(2)
  })
})

it('two domains do not wait for each other', async () => {
  await openDatabase(() => POSTGRES.openMigrated())
  await makeDomains()
  const { promise: done, resolve: finish } = Promise.withResolvers<undefined>()
  const holding = writeDomain(database, red.domain.id, () => done)
  expect((await applyAll(blue, model('Navy'))).recorded).toBe(true)
  finish(undefined)
  await holding
  await database.close()
})
