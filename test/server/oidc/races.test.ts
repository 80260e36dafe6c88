import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { enterPassword, landing, post, type TokenAnswer } from './application.ts'
import { CALLBACK, makeConsumer, makePerson, type Consumer } from './people.ts'
import { startSignIn, type SignInServer } from './sign-in-server.ts'
import { runsOf } from '../../support/runs.ts'

// The library looks whether a code or refresh token is used, and then marks it: others can do the same in between. What
// decides is one statement of the database, for all servers of a platform.

/** How many codes, and how many refresh tokens. RACE_RUNS asks for another number. */
const RUNS = runsOf('RACE_RUNS', { sample: 4, long: 15 })

const AT_ONCE = 16

let postgres: PostgresDatabase
let databases: Database[]
let servers: SignInServer[]
let consumer: Consumer
let browser: CookieClient

beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  const open = () => openPostgres(postgres.url, { maxConnections: 10 })
  databases = [await open(), await open()]
  servers = []
  for (const database of databases) servers.push(await startSignIn(database, { baseUrl: 'http://main.example' }))
  const { access } = one()
  consumer = await makeConsumer(access)
  browser = new CookieClient({ host: 'main.example' })
  await enterPassword(browser, await browser.open(authorizationUrl()), await makePerson(access))
})

afterAll(async () => {
  for (const server of servers) await server.close()
  for (const database of databases) await database.close()
  await postgres.drop()
})

function one(index = 0): SignInServer {
  const server = servers[index % servers.length]
  if (server === undefined) throw new Error('no server runs')
  return server
}

function authorizationUrl(): string {
  const query = new URLSearchParams({ client_id: consumer.clientId, response_type: 'code', redirect_uri: CALLBACK })
  return `${one().url}/authenticate?${query.toString()}`
}

/** The same request many times at once, to both servers; the answers that hold tokens. */
async function race(fields: { readonly [name: string]: string }): Promise<TokenAnswer[]> {
  const send = (index: number) => post(one(index).url, '/authenticate/token', fields, { consumer })
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(index)))
  expect(answers.filter(({ status }) => status !== 200 && status !== 400)).toStrictEqual([])
  return answers.filter(({ status }) => status === 200)
}

async function redeem(code: string): Promise<TokenAnswer['body']> {
  const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
  return (await post(one().url, '/authenticate/token', fields, { consumer })).body
}

it(
  `of ${AT_ONCE} who redeem one code at once, at most one gets tokens, which the others end`,
  { timeout: 60_000 * RUNS },
  async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const code = landing(await browser.open(authorizationUrl())).searchParams.get('code') ?? ''
      const winners = await race({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK })
      expect(winners.length).toBeLessThan(2)
      for (const { body } of winners) {
        const headers = { authorization: `Bearer ${String(body['access_token'])}`, host: 'main.example' }
        const { status } = await browser.get(`${one(run).url}/authenticate/userinfo`, headers)
        expect(status).toBe(401)
        expect(await race({ grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) })).toStrictEqual(
          [],
        )
      }
    }
  },
)

it(
  `of ${AT_ONCE} who refresh by one token at once, exactly one gets tokens, and goes on with them`,
  { timeout: 60_000 * RUNS },
  async () => {
    const code = landing(await browser.open(authorizationUrl())).searchParams.get('code') ?? ''
    const first = await redeem(code)
    let refreshToken = String(first['refresh_token'])
    for (let run = 0; run < RUNS; run += 1) {
      const winners = await race({ grant_type: 'refresh_token', refresh_token: refreshToken })
      expect(winners).toHaveLength(1)
      refreshToken = String(winners[0]?.body['refresh_token'])
    }
  },
)

it('one that is redeemed by one server while the other takes everything back leaves no token behind', async () => {
  for (let run = 0; run < RUNS; run += 1) {
    const code = landing(await browser.open(authorizationUrl())).searchParams.get('code') ?? ''
    const refreshToken = String((await redeem(code))['refresh_token'])
    const [refreshed] = await Promise.all([
      post(
        one(0).url,
        '/authenticate/token',
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        { consumer },
      ),
      post(one(1).url, '/authenticate/revoke', { token: refreshToken }, { consumer }),
    ])
    const tokens = ['access_token', 'refresh_token'].map((name) => refreshed.body[name])
    for (const token of tokens.filter((value) => typeof value === 'string')) {
      const { body } = await post(one(1).url, '/authenticate/introspect', { token }, { consumer })
      expect(body).toStrictEqual({ active: false })
    }
  }
})
