import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, inject, it, vi } from 'vitest'
import { TEXT } from '../../../src/db/columns.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import { readMigrations } from '../../../src/db/read-migrations.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { makeSite, type SentPoint } from '../../support/site.ts'
import { historyOf } from './history.ts'
import { PATIENCE } from '../../support/patience.ts'

// A database is taken back to an earlier state, while a server goes on that sends nothing but series which it knows.

const NOON = 1_760_000_000_000
const NAME = `test_${crypto.randomUUID().replaceAll('-', '')}`
const BACKUP = `${NAME}_backup`

it('stores nothing under the numbers that series had in a database that was taken back', async () => {
  const place = await createPostgresDatabase(MIGRATED_TEMPLATE, NAME)
  const database = await openPostgres(place.url, { maxConnections: 4 })
  const context = await makeDomain(database)
  const site = await makeSite(context)
  const [server, second] = [makeServer(context), makeServer(context)]
  await send(server, context, site.point('temperature', 1, NOON))
  await endConnections()
  const backup = await createPostgresDatabase(NAME, BACKUP)
  // Series of the time that is lost: those that are made afterwards get the same numbers.
  await send(server, context, site.point('percent', 10, NOON))
  await send(second, context, site.point('percent', 11, NOON, 1))
  await place.drop()
  await createPostgresDatabase(BACKUP, NAME)
  await backup.drop()
  const otherDatabase = await openPostgres(place.url, { maxConnections: 4 })
  const other = makeServer({ ...context, database: otherDatabase })
  await send(other, context, site.point('temperature', 2, NOON, 1))
  // One server finds it out when it stores, the other one when it looks something else up.
  await send(server, context, site.point('percent', 20, NOON + 1))
  await send(second, context, site.point('count', 7, NOON))
  await send(second, context, site.point('percent', 21, NOON + 1, 1))
  await send(server, context, site.point('temperature', 3, NOON + 1))
  const kept = {
    'Sensor 0 count': [[NOON * 1_000, 7n]],
    'Sensor 0 percent': [[(NOON + 1) * 1_000, 20]],
    'Sensor 0 temperature': [
      [NOON * 1_000, 1],
      [(NOON + 1) * 1_000, 3],
    ],
    'Sensor 1 percent': [[(NOON + 1) * 1_000, 21]],
    'Sensor 1 temperature': [[NOON * 1_000, 2]],
  }
  expect(await historyOf(context)).toStrictEqual(kept)
  // Numbers of slots are given again, too: there is that of the first server before, and one of each of the three.
  const slots = `select owner from writer_slots`
  expect(await database.statement(slots)).toHaveLength(4)
  for (const one of [other, second]) await one.close()
  await server.takeOver()
  await server.compactor.compact()
  expect(await database.statement(slots)).toHaveLength(1)
  expect(await database.statement(`select generation from datapoints_hot`)).toStrictEqual([])
  expect(await historyOf(context)).toStrictEqual(kept)
  await server.close()
  await otherDatabase.close()
  await database.close()
  await place.drop()
})

it('nor where storage was put back to a snapshot, after which the database is the same but for its start', async () => {
  const postgres = await startPostgres()
  const home = mkdtempSync(join(tmpdir(), 'holdfast-snapshot-'))
  const database = await openPostgres(`${postgres.url}/postgres`, { maxConnections: 4 })
  await migrate(database, await readMigrations(new URL('../../../src/db/migrations/', import.meta.url)))
  const [place] = await database.rows({ directory: TEXT }, `select current_setting('data_directory') as directory`)
  const data = place?.directory ?? ''
  const stopped = async (work: () => void) => {
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGINT')
    await vi.waitUntil(() => !existsSync(join(data, 'postmaster.pid')), PATIENCE)
    work()
    await vi.waitFor(async () => {
      await postgres.again()
      await database.statement('select 1')
    }, PATIENCE)
  }
  const context = await makeDomain(database)
  const site = await makeSite(context)
  const [server, other] = [makeServer(context), makeServer(context)]
  await send(server, context, site.point('temperature', 1, NOON))
  await stopped(() => execFileSync('cp', ['-a', data, home]))
  // A series of the time that is lost, and one that gets its number afterwards.
  await send(server, context, site.point('percent', 10, NOON))
  await stopped(() => {
    rmSync(data, { recursive: true })
    execFileSync('cp', ['-a', join(home, basename(data)), data])
  })
  await send(other, context, site.point('temperature', 2, NOON, 1))
  await send(server, context, site.point('percent', 20, NOON + 1))
  expect(await historyOf(context)).toStrictEqual({
    'Sensor 0 percent': [[(NOON + 1) * 1_000, 20]],
    'Sensor 0 temperature': [[NOON * 1_000, 1]],
    'Sensor 1 temperature': [[NOON * 1_000, 2]],
  })
  for (const one of [server, other]) await one.close()
  await database.close()
  await postgres.stop()
  rmSync(home, { recursive: true })
})

function makeServer(context: DomainContext): Datapoints {
  return new Datapoints({ ...context, isAlone: false, limits: { deadAfterSeconds: 0 } })
}

/** Like a device, which sends again what was not stored. */
async function send(server: Datapoints, { domain }: DomainContext, point: SentPoint): Promise<void> {
  const sender = { domainId: domain.id, actor: 'tester', systemUuid: null, units: null }
  await vi.waitFor(() => server.ingest.add(sender, [point]), PATIENCE)
}

async function endConnections(): Promise<void> {
  const admin = await openPostgres(`${inject('postgresUrl')}/postgres`, { maxConnections: 1 })
  await admin.statement(`select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1`, [NAME])
  await admin.close()
}
