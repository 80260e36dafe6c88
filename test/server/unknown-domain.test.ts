import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import { HoldfastError } from '../../src/lib/errors.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
/** The transactions that only read, and what they fail with. */
let looks = 0
let failure: Error | null = null
beforeAll(async () => {
  const database = await ANY_DATABASE.openMigrated()
  const read: Database['read'] = (work) => {
    looks++
    return failure === null ? database.read(work) : Promise.reject(failure)
  }
  server = await startTestServer({ ...database, read })
})
afterAll(() => server.close())

describe('a request whose domain cannot be found, with or without routing, has been looked up once', () => {
  const paths = ['/rest/v1/data-points/add', '/rest/v1/data-points/add?']

  it.each(paths)('%s: no domain has the host', async (path) => {
    looks = 0
    const { status, json } = await server.call({ path, host: 'other.example', body: '[]' })
    expect([status, json]).toMatchObject([
      421,
      { detail: expect.stringMatching(/^no domain of this platform/) as string },
    ])
    expect(looks).toBe(1)
  })

  it.each(paths)('%s: the database is busy', async (path) => {
    looks = 0
    failure = new HoldfastError('UNAVAILABLE', 'the database is busy')
    const { status, json } = await server.call({ path, body: '[]' })
    failure = null
    expect([status, json]).toMatchObject([503, { detail: 'the database is busy' }])
    expect(looks).toBe(1)
  })
})
