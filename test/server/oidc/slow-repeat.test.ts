import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { POSTGRES } from '../../support/databases.ts'
import { discover, obtainCode, post } from './application.ts'
import { CALLBACK, makeConsumer, makePerson } from './people.ts'
import { startSignIn, type SignInServer } from './sign-in-server.ts'

let database: Database
let server: SignInServer
let waited = 0
/** What a request waits for before its code is looked up. */
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

it('a code that is sent twice at once is no theft, however long the server takes to look at the second one', async () => {
  const consumer = await makeConsumer(server.access)
  const client = await discover(server.url, consumer)
  const { code, verifier } = await obtainCode(client, await makePerson(server.access))
  const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier }
  const redeem = () => post(server.url, '/authenticate/token', fields, { consumer })

  const open = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  gate = open.promise
  reached = waiting.resolve
  const second = redeem()
  await waiting.promise
  const first = await redeem()
  waited += 10_000
  open.resolve()

  expect((await second).body).toMatchObject({ error: 'invalid_grant' })
  const headers = { authorization: `Bearer ${String(first.body['access_token'])}` }
  expect((await fetch(`${server.url}/authenticate/userinfo`, { headers })).status).toBe(200)
})
