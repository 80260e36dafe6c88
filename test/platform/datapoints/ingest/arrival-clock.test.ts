import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../../src/db/sql.ts'
import { ArrivalClock } from '../../../../src/platform/datapoints/ingest/arrival-clock.ts'
import { ANY_DATABASE } from '../../../support/databases.ts'

/** The last digits of a time name the lane, which a process has for itself. */
const LANES = 100

const now = () => new Date(1_760_000_000_000)

let database: Database
beforeAll(async () => {
  database = await ANY_DATABASE.openMigrated()
})
afterAll(() => database.close())

it('times that were reserved in another database are not given', async () => {
  const clock = new ArrivalClock({ database, owner: crypto.randomUUID(), now, aheadMicroseconds: 600_000_000 })
  const next = async (identity: string) => {
    expect(clock.next(identity)).toBeNaN()
    await clock.reserve(1)
    return clock.next(identity) % LANES
  }
  const lane = await next('one')
  expect(clock.next('one') % LANES).toBe(lane)
  expect(await next('two')).not.toBe(lane)
})
