import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { POSTGRES } from '../../support/databases.ts'
import { discover, post, signIn } from './application.ts'
import { makeConsumer, makePerson } from './people.ts'
import { startSignIn, type SignInServer } from './sign-in-server.ts'

let database: Database
let server: SignInServer
/** The last statement that ran, and what the first one after a refresh token was used up waits for. */
let last = ''
let isUsedUp = false
let gate: { readonly reached: () => void; readonly opened: Promise<void> } | undefined

beforeAll(async () => {
  database = await POSTGRES.openMigrated()
  const slow = countingDatabase(database, async ({ text }) => {
    const isNext = isUsedUp && last === 'COMMIT'
    last = text
    if (text.startsWith('update artifacts set consumed_at')) isUsedUp = true
    if (!isNext || gate === undefined) return
    const { reached, opened } = gate
    gate = undefined
    reached()
    await opened
  })
  server = await startSignIn(slow)
})

afterAll(async () => {
  await server.close()
  await database.close()
})

it('what is taken back between the use of a refresh token and the tokens that come of it, gives none', async () => {
  const consumer = await makeConsumer(server.access)
  const { tokens } = await signIn(await discover(server.url, consumer), await makePerson(server.access))
  const token = tokens.refresh_token ?? ''

  const open = Promise.withResolvers<void>()
  const waiting = Promise.withResolvers<void>()
  isUsedUp = false
  gate = { reached: waiting.resolve, opened: open.promise }
  const refreshing = post(
    server.url,
    '/authenticate/token',
    { grant_type: 'refresh_token', refresh_token: token },
    { consumer },
  )
  await waiting.promise
  expect((await post(server.url, '/authenticate/revoke', { token }, { consumer })).status).toBe(200)
  open.resolve()

  expect((await refreshing).body).toMatchObject({ error: 'invalid_grant' })
  const left = await database.read((sql) =>
    sql.query(`select kind from artifacts where kind in ('AccessToken', 'RefreshToken', 'Grant')`),
  )
  expect(left).toStrictEqual([])
})
