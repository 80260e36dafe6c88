import { join } from 'node:path'
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { readCredentials, type Credentials } from '../../src/server/process/credentials.ts'
import { enterPassword, landing } from '../server/oidc/application.ts'
import { CALLBACK, type Consumer } from '../server/oidc/people.ts'
import { CookieClient, type Reply } from '../support/cookie-client.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { passwordToken } from '../support/password-token.ts'
import { freshClone, removeClone } from './fresh-clone.ts'
import { invitePerson, registerConsumer, signInOperator, type Invited, type Operator } from './operator.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from './server-process.ts'
import { isLong, runsOf } from '../support/runs.ts'
import { PATIENCE } from '../support/patience.ts'

// One platform that two processes serve: they share the database and HOLDFAST_KEY, and nothing else. Browsers and
// applications know one host, behind which each request may come to either of them.

/** How many codes, and how many refresh tokens. RACE_RUNS asks for another number. */
const RUNS = runsOf('RACE_RUNS', { sample: 2, long: 4 })
const RACE = { timeout: 60_000 * RUNS }
const AT_ONCE = 16
const HOST = 'localhost'

let clone: string
let database: PostgresDatabase
let servers: readonly [ServerProcess, ServerProcess]
let operator: Operator
let consumer: Consumer
let person: Invited
/** In which the person has signed in. */
let browser: CookieClient

beforeAll(async () => {
  clone = freshClone()
  database = await createPostgresDatabase()
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')
  const start = (HOLDFAST_DATA_DIR: string) =>
    startServer(clone, { DATABASE_URL: database.url, HOLDFAST_KEY: key, HOLDFAST_DATA_DIR })
  servers = await Promise.all([start(directoryOf(0)), start(directoryOf(1))])
  operator = await signInOperator(servers[0].url, credentials())
  consumer = await registerConsumer(operator)
  person = await invitePerson(operator, servers[0].url, 'ann@example.org')
  await signIn()
})

async function signIn(): Promise<void> {
  browser = new CookieClient({ host: HOST })
  await enterPassword(browser, await browser.open(authorizationUrl(0)), person)
}

afterAll(async () => {
  for (const server of servers) await server.stop()
  await database.drop()
  await removeClone(clone)
})

function directoryOf(index: number): string {
  return join(clone, `data-${index}`)
}

/** Those of the one server that has made them. */
function credentials(): Credentials {
  const found = [0, 1].map((index) => readCredentials(directoryOf(index))).filter((one) => one !== null)
  expect(found).toHaveLength(1)
  return found[0] as Credentials
}

function urlOf(index: number): string {
  return servers[index % 2 === 0 ? 0 : 1].url
}

function authorizationUrl(index: number): string {
  const query = { client_id: consumer.clientId, response_type: 'code', redirect_uri: CALLBACK, nonce: 'n' }
  return `${urlOf(index)}/authenticate?${new URLSearchParams(query).toString()}`
}

/** A code for the person who is signed in, from one of the servers. */
async function codeFrom(index: number): Promise<string> {
  return landing(await browser.open(authorizationUrl(index))).searchParams.get('code') ?? ''
}

type Fields = { readonly [name: string]: string }

function post(index: number, path: string, fields: Fields): Promise<Reply> {
  const authorization = `Basic ${btoa(`${consumer.clientId}:${consumer.secret}`)}`
  return new CookieClient({ host: HOST }).post(urlOf(index) + path, fields, { authorization })
}

function redeem(index: number, code: string): Promise<Reply> {
  return post(index, '/authenticate/token', { grant_type: 'authorization_code', code, redirect_uri: CALLBACK })
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
}

function tokensIn({ status, text }: Reply): Tokens {
  expect({ status, text }).toMatchObject({ status: 200 })
  return JSON.parse(text) as Tokens
}

/** Who gets tokens where all use one thing at once, over both servers. */
async function race(use: (index: number) => Promise<Reply>): Promise<Tokens[]> {
  const replies = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => use(index)))
  expect(replies.filter(({ status }) => status !== 200 && status !== 400)).toStrictEqual([])
  return replies.filter(({ status }) => status === 200).map(tokensIn)
}

/** What both servers say to whoever has this token. */
async function statuses(token: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` }
  const query = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ currentDomain { name } }' }),
  }
  const ask = async (index: number) => [
    (await fetch(`${urlOf(index)}/authenticate/userinfo`, { headers })).status,
    (await fetch(`${urlOf(index)}/graphql`, query)).status,
  ]
  return (await Promise.all([ask(0), ask(1)])).flat()
}

const GOOD = [200, 200, 200, 200]
const REFUSED = [401, 401, 401, 401]

it('two that start at once on an empty database make one operator, who signs in to both', async () => {
  const { clientSecret } = credentials()
  const told = servers.map((server) => server.written())
  expect(told.filter((text) => text.includes('These were made for the first start'))).toHaveLength(1)
  expect(told.filter((text) => text.includes(clientSecret))).toStrictEqual([])
  expect(told.filter((text) => text.includes('another server made the credentials'))).toHaveLength(1)
  for (const { url } of servers) expect(await statuses(await passwordToken(url, credentials()))).toStrictEqual(GOOD)
})

it('a sign-in may begin at one and go on at the other', async () => {
  const other = new CookieClient({ host: HOST })
  const { url, ...page } = await other.open(authorizationUrl(0))
  const reply = await enterPassword(other, { ...page, url: url.replace(urlOf(0), urlOf(1)) }, person)
  const { access_token: token } = tokensIn(await redeem(0, landing(reply).searchParams.get('code') ?? ''))
  expect(await statuses(token)).toStrictEqual(GOOD)
})

// RFC 6749, section 4.1.2: a code that comes twice may have been stolen, and what it gave is revoked.
it(`of ${AT_ONCE} who redeem one code at once, one at most gets tokens, and they are revoked`, RACE, async () => {
  for (let run = 0; run < RUNS; run += 1) {
    const code = await codeFrom(run)
    const given = await race((index) => redeem(index, code))
    expect(given.length).toBeLessThan(2)
    for (const { access_token: token } of given) expect(await statuses(token)).toStrictEqual(REFUSED)
  }
})

it(`of ${AT_ONCE} who refresh by one token at once, exactly one gets tokens, and goes on`, RACE, async () => {
  let tokens = tokensIn(await redeem(1, await codeFrom(0)))
  for (let run = 0; run < RUNS; run += 1) {
    const { refresh_token: token } = tokens
    const given = await race((index) =>
      post(index, '/authenticate/token', { grant_type: 'refresh_token', refresh_token: token }),
    )
    expect(given).toHaveLength(1)
    tokens = given[0] as Tokens
  }
  expect(await statuses(tokens.access_token)).toStrictEqual(GOOD)
})

it.each(['user', 'application', 'method'] as const)(
  'the status of the %s behind a token counts at once in both, whichever was told',
  async (what) => {
    for (const status of ['DEACTIVATED', 'ARCHIVED']) {
      const { access_token: token } = tokensIn(await redeem(1, await codeFrom(0)))
      expect(await statuses(token)).toStrictEqual(GOOD)
      await operator.graphql(await changeOf(what), { status })
      expect(await statuses(token)).toStrictEqual(REFUSED)
      await operator.graphql(await changeOf(what), { status: 'ACTIVATED' })
      // Somebody who was shut out signs in again.
      expect(await statuses(token)).toStrictEqual(what === 'user' ? REFUSED : GOOD)
      if (what === 'user') await signIn()
    }
  },
)

/** The operator is signed in to the first server. */
async function changeOf(what: 'user' | 'application' | 'method'): Promise<string> {
  if (what === 'user')
    return `mutation ($status: Status) { updateUser(email: "${person.login}", input: { status: $status }) { uuid } }`
  if (what === 'application')
    return `mutation ($status: Status) { updateApplicationConsumer(slug: "portal", input: { status: $status }) { uuid } }`
  const { authenticationMethods: methods } = await operator.graphql<{ authenticationMethods: { uuid: string }[] }>(
    '{ authenticationMethods { uuid } }',
  )
  return `mutation ($status: Status) { updateAuthenticationMethod(uuid: "${methods[0]?.uuid}", status: $status) { uuid } }`
}

it('another key comes to sign while both answer, and nothing that they sign is ever refused', async () => {
  const before = await signerAt(0)
  const { rotateSigningKey: next } = await operator.graphql<{ rotateSigningKey: { kid: string } }>(
    'mutation { rotateSigningKey { kid } }',
  )
  await beginIn(6, next.kid)
  const signers = [before, before]
  const lookOnce = async (): Promise<boolean> => {
    for (const index of [0, 1]) {
      const kid = await signerAt(index)
      expect([signers[index], next.kid]).toContain(kid)
      signers[index] = kid
    }
    return signers.every((kid) => kid === next.kid)
  }
  // It takes seconds, in which a hundred people need not sign in.
  await vi.waitUntil(lookOnce, { interval: isLong ? 0 : 500, ...PATIENCE })
})

/** The kid of the key that a server signs with now. Whichever server is asked for the keys, the ID token is good. */
async function signerAt(index: number): Promise<string> {
  const { id_token: token } = tokensIn(await redeem(index, await codeFrom(index + 1)))
  const [first, second] = await Promise.all([0, 1].map((keysOf) => checkedKid(token, keysOf)))
  expect(first).toBe(second)
  return first ?? ''
}

async function checkedKid(token: string, index: number): Promise<string | undefined> {
  const keys = (await (await fetch(`${urlOf(index)}/authenticate/keys`)).json()) as JSONWebKeySet
  const { protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), { audience: consumer.clientId })
  return protectedHeader.kid
}

/** As if most of the time had gone by in which the other servers come to publish a new key: they do within 5 seconds. */
async function beginIn(seconds: number, kid: string): Promise<void> {
  const open = await openPostgres(database.url, { maxConnections: 1 })
  await open.transaction((sql) =>
    sql.query(`update signing_keys set signs_from = now() + make_interval(secs => $1) where kid = $2`, [seconds, kid]),
  )
  await open.close()
}
