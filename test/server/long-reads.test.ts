import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../src/db/sql.ts'
import type { AccessContext } from '../../src/platform/access/access-context.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { tokenHash } from '../../src/platform/access/sessions/token-hash.ts'
import { deleteArtifact } from '../../src/store/access/artifacts.ts'
import { writeAccess } from '../../src/store/domains.ts'
import { giveToken } from '../support/access.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { makeSite, type Site } from '../support/site.ts'
import { HOSTS, startTestServer, type TestServer } from './test-server.ts'

// What takes long is told only to somebody who still may know it.

let server: TestServer
let access: AccessContext
let site: Site
/** Runs once, before the records of a query are read. The domain is looked up before them. */
let before: (() => Promise<unknown>) | null = null
let looks = 0
beforeAll(async () => {
  const database = await ANY_DATABASE.openMigrated()
  const proxy = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name !== 'read') return typeof value === 'function' ? value.bind(target) : value
      return async (work: Parameters<Database['read']>[0]) => {
        looks += 1
        if (looks === 2) await before?.()
        return target.read(work)
      }
    },
  })
  server = await startTestServer(proxy)
  access = { ...server.access[0]!, database }
  site = await makeSite({ ...access, actorName: 'tester' })
})
afterAll(() => server.close())

let token: string
beforeEach(async () => {
  before = null
  token = await giveToken(access, (await findAccountByLogin(access, 'machine', 'operator'))!)
})
afterEach(() => vi.restoreAllMocks())

const endToken = () =>
  writeAccess(access.database, access.domain.id, (sql) =>
    deleteArtifact(sql, access.domain.id, 'AccessToken', tokenHash(token)),
  )

/** From now on it is two seconds later. */
function later(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 2_000)
}

async function ask(): Promise<unknown> {
  looks = 0
  const body = JSON.stringify({ query: '{ services(first: 5) { nodes { code } } }' })
  return (await server.call({ authorization: `Bearer ${token}`, body })).json
}

describe('a GraphQL query whose token ends meanwhile', () => {
  it('is refused where it took long', async () => {
    before = async () => {
      await endToken()
      later()
    }
    expect(await ask()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] })
  })

  it('is answered where it still stands', async () => {
    before = () => Promise.resolve(later())
    expect(await ask()).toMatchObject({ data: { services: {} } })
  })
})

/** A file that goes on for ever. */
async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    await new Promise(setImmediate)
    yield new Uint8Array(65_536).fill(32)
  }
}

it('a file that is read slowly breaks off when its token has ended', async () => {
  vi.spyOn(server.datapoints.exports, 'open').mockImplementation(endless)
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = { host: HOSTS.first, authorization: `Bearer ${token}`, accept: 'text/csv' }
  const path = `/rest/v1/data-points?system_uuid=${site.systemUuid}&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`
  httpRequest(new URL(path, server.url), { agent: false, headers }, resolve).on('error', reject).end()
  const answer = await promise
  expect(answer.statusCode).toBe(200)
  await endToken()
  later()
  const ended = Promise.withResolvers<Error>()
  answer.on('error', ended.resolve).resume()
  expect(await ended.promise).toMatchObject({ code: 'ECONNRESET' })
})
