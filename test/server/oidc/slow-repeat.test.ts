import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { POSTGRES } from '../../support/databases.ts'
import { discover, post, signIn } from './application.ts'
import { makeConsumer, makePerson } from './people.ts'
import { startSignIn, type SignInServer } from './sign-in-server.ts'

let database: Database
let server: SignInServer
let waited = 0
/** What a request waits for before its token is looked up. */
let gate: Promise<void> | undefined
let reached: (() => void) | undefined

beforeAll(async () => {
  database = await POSTGRES.openMigrated()
  const slow = countingDatabase(database, async ({ text }) => {
    if (gate === undefined || !text.startsWith('select kind, hash, payload')) return
    const opened = gate
    gate = undefined
    reached?.()
    await opened
  })
  server = await startSignIn(slow, { now: () => new Date(Date.now() + waited) })
})

afterAll(async () => {
  await server.close()
  await database.close()
})

it('a refresh token that is sent twice at once is no theft, however long the server takes to look at the second one', async () => {
  const consumer = await makeConsumer(server.access)
  const client = await discover(server.url, consumer)
  const { tokens } = await signIn(client, await makePerson(server.access))
  const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' }
  const refresh = () => post(server.url, '/authenticate/token', fields, { consumer })

  const open = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  gate = open.promise
  reached = waiting.resolve
  const second = refresh()
  await waiting.promise
  const first = await refresh()
  waited += 10_000
  open.resolve()

  expect((await second).body).toMatchObject({ error: 'invalid_grant' })
  const headers = { authorization: `Bearer ${String(first.body['access_token'])}` }
  expect((await fetch(`${server.url}/authenticate/userinfo`, { headers })).status).toBe(200)
})
