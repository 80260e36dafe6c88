import { describe, expect, it, vi } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { PGLITE, POSTGRES } from '../support/databases.ts'
import { makeSite } from '../support/site.ts'
import { contextOf, startTestServer, TOKEN } from './test-server.ts'

// Files of datapoints that nobody gets to the end of, by a fault of the server or because the client goes.

const NOON = Date.UTC(2026, 2, 28, 12)

describe('a file that cannot be written to its end', () => {
  it('breaks off, and says nothing of what went wrong inside', async () => {
    const database = await PGLITE.openMigrated()
    let reads = 0
    let last = Infinity
    const read: Database['read'] = (work) => {
      // Upkeep reads, too.
      if (new Error('Where?').stack?.includes('/reading/stored/') !== true) return database.read(work)
      reads += 1
      return reads >= last ? Promise.reject(new Error('page 7 of the table is damaged')) : database.read(work)
    }
    const failing = await startTestServer({ ...database, read })
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    try {
      const two = await makeSite(contextOf(failing), 2)
      for (const component of [0, 1]) {
        const points = Array.from({ length: 5_000 }, (_, index) => two.point('count', index, NOON + index, component))
        await failing.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
      }
      const headers = { authorization: `Bearer ${TOKEN}`, accept: 'text/csv' }
      // Buckets are read series by series.
      const path =
        '/rest/v1/data-points?interval=PT1S&aggregations=max&from=2026-03-28T12:00:00Z&to=2026-03-28T13:20:00Z&fill=previous'
      const file = async () => (await fetch(`${failing.url}${path}`, { headers })).text()
      reads = 0
      expect((await file()).split('\n')).toHaveLength(9_602)
      last = reads
      reads = 0
      await expect(file()).rejects.toThrow(/terminated|fetch failed/)
      expect(failing.log.filter((line) => line.includes('an export failed'))).toHaveLength(1)
      expect(printed).not.toHaveBeenCalled()
    } finally {
      printed.mockRestore()
      last = Infinity
      await failing.close()
    }
  })
})

/** Of one account: the others are for others. */
const FILES_AT_ONCE = 2

it('whoever goes away before a file has begun is no longer in the way of others', async () => {
  const database = await POSTGRES.openMigrated()
  const begun = Promise.withResolvers<void>()
  let waiting = 0
  let isExport = false
  const read: Database['read'] = async (work) => {
    if (isExport) {
      isExport = false
      waiting += 1
      await begun.promise
    }
    return database.read(work)
  }
  const busy = await startTestServer({ ...database, read })
  const { exports } = busy.datapoints
  const open = exports.open.bind(exports)
  vi.spyOn(exports, 'open').mockImplementation((...query) => {
    isExport = waiting < FILES_AT_ONCE
    return open(...query)
  })
  const its = await makeSite(contextOf(busy), 1)
  const points = Array.from({ length: 5_000 }, (_, index) => its.point('count', index, NOON + index))
  await busy.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${TOKEN}`, accept: 'text/csv' }
  const file = (signal?: AbortSignal) =>
    fetch(`${busy.url}/rest/v1/data-points`, { headers, ...(signal && { signal }) })
  const left = Array.from({ length: FILES_AT_ONCE }, () => file(leaving.signal).catch(() => 'left'))
  await expect.poll(() => waiting).toBe(FILES_AT_ONCE)
  leaving.abort()
  await Promise.all(left)
  await busy.call({ method: 'GET', path: '/healthz' })
  begun.resolve()
  const lines = async () => (await (await file()).text()).split('\n').length
  await expect.poll(lines).toBe(5_002)
  await busy.close()
})
