import { afterAll, beforeAll, expect, it } from 'vitest'
import { INT8 } from '../../../../src/db/columns.ts'
import type { Database } from '../../../../src/db/sql.ts'
import { lockArrivals } from '../../../../src/store/datapoints/arriving/system-arrivals.ts'
import { ANY_DATABASE } from '../../../support/databases.ts'

let database: Database
beforeAll(async () => {
  database = await ANY_DATABASE.openMigrated()
  await database.statement('insert into domain_state (domain_id) values (1)')
})
afterAll(() => database.close())

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
