import { beforeAll, expect, it } from 'vitest'
import { INT8 } from '../../../../src/db/columns.ts'
import { SystemArrivals } from '../../../../src/platform/datapoints/ingest/count-arrivals.ts'
import { lockArrivals } from '../../../../src/store/datapoints/arriving/system-arrivals.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { database, useDatabase } from '../../../support/one-database.ts'

useDatabase()
beforeAll(async () => {
  await database.statement('insert into domain_state (domain_id) values (1)')
})

it('who waits for the lock of arrivals gets a time after that of who had it', async () => {
  const { before, locked } = await database.transaction(async (sql) => {
    await sql.query('select pg_sleep(0.01)')
    const [row] = await sql.rows(
      { before: INT8 },
      'select floor(extract(epoch from clock_timestamp()) * 1000)::int8 as before',
    )
    return { before: row?.before ?? 0, locked: await lockArrivals(sql, 1) }
  })
  expect(locked).toBeGreaterThanOrEqual(before)
})

it('writes at most 500 systems of all domains in a turn, and the others in the next ones', async () => {
  await database.statement('insert into domain_state (domain_id) values (2), (3)')
  const written: number[] = []
  const counting = countingDatabase(database, ({ text, values }) => {
    if (text.startsWith('insert into system_arrivals'))
      written.push((JSON.parse(String(values[1])) as unknown[]).length)
  })
  const arrived = new SystemArrivals({ database: counting, now: () => new Date() })
  const systems = Array.from({ length: 400 }, () => [crypto.randomUUID(), 1] as const)
  for (const domainId of [1, 2, 3]) arrived.note(domainId, systems)
  const turns: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    await arrived.flush()
    turns.push(written.splice(0).reduce((sum, count) => sum + count, 0))
  }
  expect(turns).toStrictEqual([500, 500, 200, 0])
})
