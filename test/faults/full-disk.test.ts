import { existsSync, openAsBlob, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { lockDirectory } from '../../src/db/pglite/directory-lock.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPglite } from '../../src/db/pglite/pglite.ts'
import { readMigrations } from '../../src/db/read-migrations.ts'
import type { Database } from '../../src/db/sql.ts'
import type { HoldfastError } from '../../src/lib/errors.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { applyImport, type ApplyRequest } from '../../src/platform/imports/applying/apply-import.ts'
import { findApply, listApplies } from '../../src/platform/imports/history/applies.ts'
import { exportDocument } from '../../src/platform/imports/export-document.ts'
import { writeExport } from '../../src/reconcile/models/export-files.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { live, models } from '../reconcile/sample.ts'
import { workspace } from '../reconcile/workspace.ts'
import { contextOf, startTestServer, type TestServer } from '../server/test-server.ts'
import { OPERATOR, startConsoleServer } from '../support/console-server.ts'
import { consoleVisitor } from '../support/console-visitor.ts'
import { countingDatabase } from '../support/counting-database.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import {
  DATABASES_ON_DISK,
  IS_FULL,
  pgliteOnDisk,
  postgresOnDisk,
  type DatabaseOnDisk,
} from '../support/database-on-disk.ts'
import { acknowledging, applyAll, plan } from '../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'
import { makeSite } from '../support/site.ts'
import { dumpTables } from '../support/table-dump.ts'
import { BEFORE, DOCUMENT, sampleDomain, statementsOf } from './sample.ts'
import { isLong } from '../support/runs.ts'

// A disk that is full says so, at whatever step: nothing is half done, what is there can be read, and with room again it
// goes on.

/** The disk was full at a statement that needed none of it, and so were those that came after. */
const IS_NOT_NOTICED = 'not noticed: '
const REFUSED = new RegExp(`${IS_FULL.source}|^${IS_NOT_NOTICED}far enough$`)
/** FAULT_RUNS: at every statement. */
const STEP = isLong || process.env['FAULT_RUNS'] !== undefined ? 1 : 12
const MIGRATIONS = new URL('../../src/db/migrations/', import.meta.url)
const MIB = 1_048_576
/** More than fits into what is left of the pages that there are. */
const LARGE = { ...DOCUMENT, dataSources: Array.from({ length: 2_000 }, (_, index) => ({ code: `source-${index}` })) }

function documentOf(name: string): JsonObject {
  return {
    dataSources: [{ code: 'a', name }],
    services: Array.from({ length: 1_000 }, (_, index) => ({ code: `s${index}`, name })),
  }
}

describe.runIf(CAN_MOUNT).each(DATABASES_ON_DISK)(
  'a disk that becomes full under $name',
  ({ name, migrated, empty }) => {
    let place: DatabaseOnDisk
    let database: Database
    beforeAll(async () => {
      place = await migrated()
      database = await place.open()
    })
    afterAll(async () => {
      await database.close()
      await place.remove()
    })

    it(
      'at any statement of an apply: it is refused as a whole, and made when there is room',
      { timeout: 180_000 },
      async () => {
        const context = await sampleDomain(database)
        await applyAll(context, BEFORE)
        const settings = acknowledging(await plan(context, LARGE))
        const request: ApplyRequest = {
          document: LARGE,
          settings,
          plan: await plan(context, LARGE, settings),
          origin: {},
        }
        const before = await dumpTables(database)
        const count = (await statementsOf(context, request)).length
        const [earlier, exported] = [await listApplies(context, 10, null), await exportDocument(context, null)]
        let refused = 0
        // At the commit itself all that the tables need is written.
        for (let full = 1; full < count; full += STEP) {
          const counting = countingDatabase(database, ({ number, text }) => {
            if (number === full) place.disk.fill()
            if (text === 'COMMIT') throw new Error('far enough')
          })
          const outcome = await applyImport({ ...context, database: counting }, request).catch(
            (error: unknown) => error,
          )
          const { code, message } = outcome as HoldfastError
          expect(code === 'UNAVAILABLE' ? message : `${IS_NOT_NOTICED}${message}`).toMatch(REFUSED)
          if (code === 'UNAVAILABLE') refused += 1
          expect(await listApplies(context, 10, null)).toStrictEqual(earlier)
          expect(await exportDocument(context, null)).toStrictEqual(exported)
          place.disk.free()
        }
        expect(refused).toBeGreaterThan(count / STEP / 2)
        expect(await dumpTables(database)).toStrictEqual(before)
        const made = await applyImport(context, request)
        expect(await findApply(context, made.uuid)).toStrictEqual(made)
      },
    )

    it.skipIf(name === 'PGlite' && !isLong)(
      'at any statement of a migration: the ones before it are kept, and the rest is made when there is room',
      { timeout: 180_000 },
      async () => {
        const other = await empty()
        const fresh = await other.open()
        const migrations = await readMigrations(MIGRATIONS)
        let filledAt = 0
        const counting = countingDatabase(fresh, ({ text }) => {
          if (!/create table/i.test(text) || (filledAt += 1) > 3) return
          other.disk.fill()
        })
        for (let times = 0; times < 3; times += 1) {
          await expect(migrate(counting, migrations)).rejects.toMatchObject({
            code: 'UNAVAILABLE',
            message: expect.stringMatching(IS_FULL) as string,
          })
          other.disk.free()
        }
        await migrate(counting, migrations)
        const applied = await fresh.read((sql) => sql.query('select name from schema_migrations order by version'))
        expect(applied).toStrictEqual(migrations.map(({ name }) => ({ name })))
        await fresh.close()
        await other.remove()
      },
    )
  },
)

describe.runIf(CAN_MOUNT).each(DATABASES_ON_DISK)('a server whose disk is full, on $name,', ({ migrated }) => {
  let place: DatabaseOnDisk
  let server: TestServer
  beforeAll(async () => {
    place = await migrated()
    server = await startTestServer(await place.open())
  })
  afterAll(async () => {
    place.disk.free()
    await server.close()
    await place.remove()
  })

  it('stores no datapoint and says why, and stores them all when there is room', async () => {
    const site = await makeSite(contextOf(server))
    const noon = 1_760_000_000_000
    const batch = (start: number) =>
      JSON.stringify(
        Array.from({ length: 5_000 }, (_, index) => site.point('temperature', index, noon + start + index)),
      )
    const send = (start: number) => server.call({ path: '/rest/v1/data-points/add', body: batch(start) })
    expect((await send(0)).status).toBe(201)
    place.disk.fill()
    const answers = [await send(10_000), await send(20_000), await send(30_000)]
    // PostgreSQL may find a free page for the first ones.
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.length).toBeGreaterThan(0)
    for (const { status, headers, json } of refused) {
      expect(status).toBe(503)
      expect(headers['retry-after']).toMatch(/^\d+$/)
      expect(json).toMatchObject({ code: 'UNAVAILABLE', detail: expect.stringMatching(IS_FULL) as string })
    }
    const history = await server.graphql('{ applies(first: 1) { nodes { uuid } } }')
    expect(history.errors).toBeUndefined()
    place.disk.free()
    for (const start of [10_000, 20_000, 30_000]) expect((await send(start)).status).toBe(201)
  })
})

describe.runIf(CAN_MOUNT)('a page whose disk is full', () => {
  it('keeps no plan, says why, and keeps it when there is room', async () => {
    const place = await postgresOnDisk(MIGRATED_TEMPLATE)
    const database = { ...ANY_DATABASE, openMigrated: () => place.open() }
    const server = await startConsoleServer({ database })
    const visitor = await consoleVisitor(server, OPERATOR)
    const codes = Array.from({ length: 5_000 }, () => crypto.randomUUID())
    const document = JSON.stringify({ dataSources: codes.map((code) => ({ code, name: code })) })
    const post = () => visitor.post('/plans/new', { document, settings: '', form: 'json' })
    place.disk.fill()
    const refused = await post()
    expect([refused.status, refused.location]).toStrictEqual([503, null])
    expect(refused.text).toMatch(/The disk of the database server is full; free some space there.*Nothing was changed/)
    place.disk.free()
    const { location } = await post()
    expect((await visitor.get(location ?? '')).text).toContain('Ready to apply')
    await server.close()
    await place.remove()
  })
})

describe.runIf(CAN_MOUNT)('a command whose disk is full', () => {
  it('leaves no half of a plan, and the whole one when there is room', async () => {
    const disk = smallDisk(1)
    const codes = Array.from({ length: 500 }, (_, index) => `c${index}`)
    const cwd = workspace({ 'models/a.json': models(...codes), 'live.json': JSON.stringify(live()) })
    const line = `plan --against live.json --out ${join(disk.directory, 'plan.json')}`
    disk.fill(8_192)
    const refused = await holdfast(line, { cwd })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/cannot write --out .*plan\.json: the disk is full; free some space/)
    expect(readdirSync(disk.directory)).toStrictEqual([])
    disk.free()
    expect((await holdfast(line, { cwd })).code).toBe(0)
    expect(JSON.parse(readFileSync(join(disk.directory, 'plan.json'), 'utf8'))).toMatchObject({ outcome: 'changes' })
    disk.remove()
  })

  it('leaves the export before this one as it was, and no mix of both', async () => {
    const disk = smallDisk(1)
    const contents = () => readdirSync(disk.directory).map((name) => readFileSync(join(disk.directory, name), 'utf8'))
    await writeExport(documentOf('first'), disk.directory, '/')
    const before = contents()
    disk.fill(16_384)
    await expect(writeExport(documentOf('second'), disk.directory, '/')).rejects.toThrow(
      /services\.yaml: the disk is full/,
    )
    disk.free()
    expect(contents()).toStrictEqual(before)
    expect((await writeExport(documentOf('second'), disk.directory, '/')).written).toHaveLength(2)
    disk.remove()
  })

  it('is not told that its database is damaged', async () => {
    const { disk, open, remove } = await pgliteOnDisk('pgliteTemplate')
    const database = await open()
    await database.script(`create table devices as select 'boiler' as name`)
    await database.close()
    for (const left of [0, 4 * MIB]) {
      disk.fill(left)
      await expect(open()).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringMatching(IS_FULL) as string,
      })
    }
    disk.fill()
    expect(() => lockDirectory(join(disk.directory, 'data'), { holder: { pid: 1, url: null, startedAt: '' } })).toThrow(
      /^the disk of the data directory .* is full; free some space/,
    )
    disk.free()
    const again = await open()
    expect(await again.read((sql) => sql.query('select name from devices'))).toStrictEqual([{ name: 'boiler' }])
    await again.close()
    await remove()
  })
})

describe('a database that cannot be opened', () => {
  it('is called damaged where its disk is well', async () => {
    const directory = join(workspace(), 'database')
    await (await openPglite(directory, { template: await openAsBlob(inject('pgliteTemplate')) })).close()
    writeFileSync(join(directory, 'global/pg_control'), 'nothing')
    await expect(openPglite(directory)).rejects.toThrow(
      /its disk has space and is writable: it is damaged \(could not read file .*\)\. Restore/,
    )
    expect(existsSync(directory)).toBe(true)
  })

  it('is called of another version where it is', async () => {
    const directory = join(workspace({ 'database/PG_VERSION': '14\n' }), 'database')
    await expect(openPglite(directory)).rejects.toThrow(/is of PostgreSQL 14, .*start the release that made it/)
  })
})
