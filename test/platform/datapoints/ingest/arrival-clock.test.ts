import { expect, it } from 'vitest'
import type { Database } from '../../../../src/db/sql.ts'
import { ArrivalClock } from '../../../../src/platform/datapoints/ingest/arrival-clock.ts'
import { database, useDatabase } from '../../../support/one-database.ts'

/** The last digits of a time name the lane, which a process has for itself. */
const LANES = 100

const now = () => new Date(1_760_000_000_000)

useDatabase()

/** A database whose identity can change, as after a restore. */
const identity = { present: 'one' }
const rowsApart = () => Promise.resolve([{ identity: identity.present }])
const open = () => {
  const parts = { database: { ...database, rowsApart } as Database, owner: crypto.randomUUID(), now }
  return new ArrivalClock({ ...parts, aheadMicroseconds: 600_000_000 })
}

it('times that were reserved in another database are not given', async () => {
  const clock = open()
  const next = async (present: string) => {
    identity.present = present
    expect(clock.next(present)).toBeNaN()
    expect(await clock.reserve(1, present)).toBe(true)
    return clock.next(present) % LANES
  }
  const lane = await next('one')
  expect(clock.next('one') % LANES).toBe(lane)
  expect(await next('two')).not.toBe(lane)
})

it('keeps its times when a batch comes of a domain that still has an earlier identity', async () => {
  const clock = open()
  expect(await clock.reserve(1, identity.present)).toBe(true)
  const lane = clock.next(identity.present) % LANES
  expect(clock.next('earlier')).toBeNaN()
  expect(await clock.reserve(1, 'earlier')).toBe(false)
  expect(clock.next(identity.present) % LANES).toBe(lane)
})

it('keeps its times when a batch of a domain comes of which nothing is known yet', async () => {
  const clock = open()
  expect(await clock.reserve(1, identity.present)).toBe(true)
  const lane = clock.next(identity.present) % LANES
  expect(clock.next('')).toBeNaN()
  expect(clock.next(identity.present) % LANES).toBe(lane)
})
