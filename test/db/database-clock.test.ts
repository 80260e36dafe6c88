import { afterEach, expect, it, vi } from 'vitest'
import { DatabaseClock } from '../../src/db/database-clock.ts'
import type { Database } from '../../src/db/sql.ts'
import { PATIENCE } from '../support/patience.ts'

// The clock of a database against that of the machine, each of which may be wrong or be set.

const HOUR = 3_600_000

let database: { time: number; looks: number }
let own: { date: number; steady: number }

async function start(): Promise<DatabaseClock> {
  database = { time: 100 * HOUR, looks: 0 }
  own = { date: 50 * HOUR, steady: HOUR }
  vi.spyOn(Date, 'now').mockImplementation(() => own.date)
  vi.spyOn(performance, 'now').mockImplementation(() => own.steady)
  const rows = () => {
    database.looks += 1
    return Promise.resolve([{ milliseconds: database.time }])
  }
  return DatabaseClock.open({ rows } as unknown as Database)
}
afterEach(() => vi.restoreAllMocks())

function pass(milliseconds: number): void {
  own.steady += milliseconds
  own.date += milliseconds
  database.time += milliseconds
}

it('tells the time of the database, however wrong the machine is', async () => {
  const clock = await start()
  expect(clock.now()).toStrictEqual(new Date(100 * HOUR))
  pass(HOUR)
  expect(clock.now()).toStrictEqual(new Date(101 * HOUR))
  expect(database.looks).toBe(1)
  clock.close()
})

it('goes on where the clock of the machine is set back', async () => {
  const clock = await start()
  own.date -= 6 * HOUR
  expect(clock.now()).toStrictEqual(new Date(100 * HOUR))
  await vi.waitFor(() => expect(database.looks).toBe(2), PATIENCE)
  expect(clock.now()).toStrictEqual(new Date(100 * HOUR))
  expect(database.looks).toBe(2)
  clock.close()
})

it('asks again after the machine has slept, which it does not count', async () => {
  const clock = await start()
  own.date += HOUR
  database.time += HOUR
  clock.now()
  await vi.waitFor(() => expect(clock.now()).toStrictEqual(new Date(101 * HOUR)), PATIENCE)
  clock.close()
})
