import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import type { Database } from '../../../src/db/sql.ts'
import { startSweeping } from '../../../src/server/process/sweeper.ts'
import type { Logger } from '../../../src/server/logger.ts'
import { oneDomain } from '../../platform/one-domain.ts'
import { giveToken } from '../../support/access.ts'
import { PATIENCE } from '../../support/patience.ts'

const domain = oneDomain()

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const TEN_MINUTES = 10 * 60_000

function recorder(): Logger & { readonly errors: string[] } {
  const errors: string[] = []
  return { errors, info: () => undefined, error: (_, message) => errors.push(message) }
}

async function artifactsLeft(): Promise<number> {
  const [row] = await domain().database.rows({ count: INT8 }, 'select count(*) as count from artifacts')
  return row?.count ?? 0
}

test('a server removes what has expired every ten minutes, until it stops', async () => {
  const logger = recorder()
  const sweeping = startSweeping(domain(), logger)
  await giveToken(domain(), { uuid: crypto.randomUUID() }, { expiresAt: new Date(0) })
  await giveToken(domain(), { uuid: crypto.randomUUID() })
  vi.advanceTimersByTime(TEN_MINUTES - 1)
  expect(await artifactsLeft()).toBe(2)
  vi.advanceTimersByTime(1)
  await sweeping.stop()
  expect(await artifactsLeft()).toBe(1)
  await giveToken(domain(), { uuid: crypto.randomUUID() }, { expiresAt: new Date(0) })
  vi.advanceTimersByTime(2 * TEN_MINUTES)
  expect(await artifactsLeft()).toBe(2)
  expect(logger.errors).toStrictEqual([])
})

test('a sweep that fails is logged and tried again', async () => {
  const logger = recorder()
  let failing = true
  const database: Database = {
    ...domain().database,
    read: (work) => (failing ? Promise.reject(new Error('the database is away')) : domain().database.read(work)),
  }
  const sweeping = startSweeping({ database, now: () => new Date() }, logger)
  await giveToken(domain(), { uuid: crypto.randomUUID() }, { expiresAt: new Date(0) })
  vi.advanceTimersByTime(TEN_MINUTES)
  await vi.waitFor(() => expect(logger.errors).toHaveLength(1), PATIENCE)
  failing = false
  vi.advanceTimersByTime(TEN_MINUTES)
  await sweeping.stop()
  expect(await artifactsLeft()).toBe(0)
})
