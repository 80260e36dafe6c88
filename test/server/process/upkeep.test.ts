import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { every } from '../../../src/server/process/upkeep.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Work that is done each hour, with the minutes at which it began, and what was logged of it. */
function hourly(work: (turn: number, failed: (error: unknown) => void) => Promise<void>) {
  let now = 0
  const turns: number[] = []
  const logged: string[] = []
  const log = (_: object, message: string) => void logged.push(message)
  const logger = { info: log, error: log }
  const run = (failed: (error: unknown) => void) => work(turns.push(now), failed)
  const stop = every(HOUR, run, 'it could not be done', logger)
  const pass = async (minutes: number): Promise<void> => {
    for (const end = now + minutes; now < end;) {
      now += 1
      await vi.advanceTimersByTimeAsync(MINUTE)
    }
  }
  return { turns, logged, pass, stop }
}

test('what fails is tried again within a minute and then ever later, until it has its turn each hour again', async () => {
  const { turns, pass, stop } = hourly(async (turn) => {
    if (turn <= 9) throw new Error('another server was there')
  })
  await pass(4 * 60)
  expect(turns).toStrictEqual([0, 1, 3, 7, 15, 31, 60, 120, 180, 240])
  await stop()
})

test('after it has gone well, what fails is tried again within a minute anew', async () => {
  const { turns, pass, stop } = hourly(async (turn) => {
    if ([1, 3].includes(turn)) throw new Error('another server was there')
  })
  await pass(130)
  expect(turns).toStrictEqual([0, 1, 60, 61, 120])
  await stop()
})

test('a failure that lasts is logged once, and that it has ended', async () => {
  const { pass, stop, logged } = hourly(async (turn) => {
    if (turn <= 9) throw new Error(turn <= 4 ? 'another server was there' : 'the disk is full')
  })
  await pass(4 * 60)
  const failure = 'it could not be done; the server will retry'
  expect(logged).toStrictEqual([failure, failure, 'It succeeds again: it could not be done'])
  await stop()
})

test('what fails of it is logged before it ends, and tried again as all of it', async () => {
  const rest = Promise.withResolvers<void>()
  const { turns, pass, stop, logged } = hourly(async (turn, failed) => {
    if (turn > 1) return
    failed(new Error('one domain'))
    await rest.promise
  })
  expect(logged).toStrictEqual(['it could not be done; the server will retry'])
  rest.resolve()
  await pass(5)
  expect(turns).toStrictEqual([0, 1])
  await stop()
})

test('nothing is tried again once it has been told to stop', async () => {
  const { turns, pass, stop } = hourly(() => Promise.reject(new Error('another server was there')))
  await stop()
  await pass(60)
  expect(turns).toStrictEqual([0])
})
