import { hash } from 'node:crypto'
import { join } from 'node:path'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { readCredentials } from '../../src/server/process/credentials.ts'
import { begin, discover, enterPassword, landing, post, signOut } from '../server/oidc/application.ts'
import { visitCompany } from '../server/login/company-visit.ts'
import { CALLBACK, type Consumer } from '../server/oidc/people.ts'
import { CanaryDetector } from '../support/canaries.ts'
import { CookieClient, type Reply } from '../support/cookie-client.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { startExternalIssuer, type ExternalIssuer } from '../support/external-issuer.ts'
import { dumpTables } from '../support/table-dump.ts'
import { freshClone, removeClone } from './fresh-clone.ts'
import { invitePerson, registerConsumer, signInOperator, type Invited, type Operator } from './operator.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from './server-process.ts'

// People and programs sign in to a server in every way that there is, rightly and wrongly. Whatever any of them holds
// that opens something is written down on the way, and then looked for in all that the server has kept and said.

const STORY = { timeout: 180_000 }
const TOKEN = '/authenticate/token'
const QUERY = JSON.stringify({ query: '{ currentDomain { name } }' })
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const JWT = 'urn:ietf:params:oauth:token-type:jwt'
const KEY = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')

let clone: string
let database: PostgresDatabase
let company: ExternalIssuer
let server: ServerProcess
let operator: Operator
let consumer: Consumer
let ann: Invited

/** What nobody but its owner may ever see, by what it is. */
const secrets = new Map<string, string>([['HOLDFAST_KEY', KEY]])

/** A secret that is there; else the looking would prove nothing. */
function keep(name: string, secret: unknown): string {
  if (typeof secret !== 'string' || secret.length < 12) throw new Error(`${name} is no secret: ${String(secret)}`)
  secrets.set(`${name} #${secrets.size}`, secret)
  return secret
}

beforeAll(async () => {
  clone = freshClone()
  database = await createPostgresDatabase()
  company = await startExternalIssuer(() => ({
    redirectUris: [`${server.url}/login/callback`, CALLBACK],
    people: [{ sub: 'carol', email: 'carol@company.example', email_verified: true, name: 'Carol' }],
  }))
  server = await startServer(clone, {
    DATABASE_URL: database.url,
    HOLDFAST_KEY: KEY,
    HOLDFAST_DATA_DIR: join(clone, 'data'),
    HOLDFAST_ALLOWED_ISSUERS: company.issuer,
    HOLDFAST_BOOTSTRAP_SECRET: keep('bootstrap secret', `bootstrap-${crypto.randomUUID()}`),
    HOLDFAST_BOOTSTRAP_PASSWORD: keep('bootstrap password', `bootstrap ${crypto.randomUUID()}`),
  })
  const credentials = readCredentials(join(clone, 'data'))
  if (credentials === null) throw new Error('the server made no credentials')
  operator = await signInOperator(server.url, credentials)
  keep('token of the operator', operator.token)
  consumer = await registerConsumer(operator, { noExplicitConsentRequired: false })
  keep('secret of a consumer', consumer.secret)
  ann = await invitePerson(operator, server.url, 'ann@example.org')
  keep('link of an invitation', ann.link)
  keep('password of a person', ann.password)
}, STORY.timeout)

afterAll(async () => {
  await server.kill()
  await company.close()
  await database.drop()
  await removeClone(clone)
})

function bearer(token: string, path = '/authenticate/userinfo'): Promise<Response> {
  return fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })
}

function query(token: string): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(`${server.url}/graphql`, { method: 'POST', headers, body: QUERY })
}

/** What a browser holds of its session here and of what it is about to do. */
function keepCookies(browser: CookieClient): void {
  const held = browser.cookieNames.map((name) => [name, browser.cookie(new RegExp(`^${name}$`))] as const)
  for (const [name, value] of held.filter(([, one]) => one !== '')) keep(`cookie ${name}`, value)
}

/** The page that a browser is shown, its parts that are secret written down. */
function keepPage(page: Reply): Reply {
  keep('CSRF token', /name="csrf" value="([^"]+)"/.exec(page.text)?.[1])
  return page
}

function keepTokens(tokens: oidc.TokenEndpointResponse): { readonly [name: string]: string } {
  const kept = ['access_token', 'refresh_token', 'id_token'].filter((name) => tokens[name] !== undefined)
  return Object.fromEntries(kept.map((name) => [name, keep(name, tokens[name])]))
}

describe('signing in', STORY, () => {
  it('to an application, with consent; going on, and out', async () => {
    const client = await discover(server.url, consumer)
    const browser = new CookieClient()
    const begun = await begin(client, { scope: 'openid email' })
    keep('PKCE verifier', begun.verifier)
    const page = keepPage(await browser.open(begun.url))
    keepCookies(browser)
    keep('interaction', new URL(page.url).searchParams.get('interaction'))
    const wrong = keep('mistyped password', `mistyped ${crypto.randomUUID()}`)
    expect((await enterPassword(browser, page, { ...ann, password: wrong })).status).toBe(422)
    // As it happens to people: the password in the wrong field.
    expect((await enterPassword(browser, page, { ...ann, login: ann.password })).status).toBe(422)
    const consent = keepPage(await enterPassword(browser, page, ann))
    keepCookies(browser)
    const reply = await browser.submit(consent, { decision: 'allow' })
    const code = keep('code', landing(reply).searchParams.get('code'))
    const tokens = keepTokens(await begun.finish(reply))
    expect((await bearer(tokens['access_token'] ?? '')).status).toBe(200)
    const next = keepTokens(await oidc.refreshTokenGrant(client, tokens['refresh_token'] ?? ''))
    const replayed = await post(server.url, TOKEN, { grant_type: 'authorization_code', code }, { consumer })
    expect(replayed.status).toBe(400)
    await oidc.tokenIntrospection(client, next['access_token'] ?? '')
    await oidc.tokenRevocation(client, next['refresh_token'] ?? '')
    const hinted = oidc.buildEndSessionUrl(client, { id_token_hint: tokens['id_token'] ?? '' })
    expect((await signOut(browser, await browser.open(hinted.href))).text).toContain('You are signed out')
    keepCookies(browser)
  })

  it('with a password, in both ways to say who asks, and wrongly', async () => {
    const fields = { grant_type: 'password', username: ann.login, password: ann.password }
    const { body } = await post(server.url, TOKEN, fields, { consumer })
    const tokens = keepTokens(body as unknown as oidc.TokenEndpointResponse)
    expect((await query(tokens['access_token'] ?? '')).status).toBe(200)
    const inBody = { ...fields, client_id: consumer.clientId, client_secret: consumer.secret }
    keepTokens((await post(server.url, TOKEN, inBody)).body as unknown as oidc.TokenEndpointResponse)
    const guess = keep('guessed client secret', `guessed-${crypto.randomUUID()}`)
    expect((await post(server.url, TOKEN, { ...inBody, client_secret: guess })).status).toBe(401)
    const password = keep('guessed password', `guessed ${crypto.randomUUID()}`)
    expect((await post(server.url, TOKEN, { ...inBody, password })).status).toBe(400)
  })

  it('with secrets where none belongs', async () => {
    const token = operator.token
    expect((await fetch(`${server.url}/authenticate/userinfo?access_token=${token}`)).status).toBe(400)
    expect((await fetch(`${server.url}/graphql?access_token=${token}`)).status).toBe(401)
    expect((await post(server.url, '/authenticate/userinfo', { access_token: token })).status).toBe(400)
    const form = { client_id: consumer.clientId, client_secret: consumer.secret, response_type: 'code' }
    expect((await post(server.url, '/authenticate', form)).status).toBe(303)
    const nobodys = keep('token that is none', `nobodys-${crypto.randomUUID()}`)
    expect((await bearer(nobodys, '/graphql')).status).toBe(401)
    expect((await fetch(`${server.url}/login/password?link=${ann.link}`)).status).toBe(404)
    const refresh = { grant_type: 'refresh_token', refresh_token: nobodys }
    expect((await post(server.url, TOKEN, refresh, { consumer })).status).toBe(400)
  })

  it('at another provider, in a browser and with its tokens', async () => {
    const secret = keep('secret at the other provider', company.clientSecret)
    const configuration = { issuer: company.issuer, clientId: company.clientId, clientSecret: secret }
    await operator.graphql(
      `mutation ($configuration: OpenIdDelegatedConfigurationInput!) {
         createOpenIdDelegatedAuthenticationMethod(configuration: $configuration) { uuid }
       }`,
      { configuration },
    )
    const browser = { here: new CookieClient(), there: new CookieClient() }
    const begun = await begin(await discover(server.url, consumer), { scope: 'openid' })
    const { text } = await browser.here.open(begun.url)
    const choice = /href="(\/login\/external[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const leave = (await browser.here.get(server.url + choice)).headers.location ?? ''
    keep('state', new URL(leave).searchParams.get('state'))
    keep('nonce', new URL(leave).searchParams.get('nonce'))
    const back = await visitCompany(browser, leave, 'sub=carol')
    keep('code of the other provider', new URL(back).searchParams.get('code'))
    const consent = keepPage(await browser.here.open(back))
    const reply = await browser.here.submit(consent, { decision: 'allow' })
    keepTokens(await begun.finish(reply))
    keepCookies(browser.here)
    const theirs = await tokenOfCompany()
    // They have no role, and everybody who is known may read what describes the API.
    expect((await query(theirs)).status).toBe(200)
    const fields = { grant_type: EXCHANGE, client_id: company.clientId, subject_token: theirs, subject_token_type: JWT }
    const exchanged = await post(server.url, TOKEN, fields)
    keepTokens(exchanged.body as unknown as oidc.TokenEndpointResponse)
    const altered = keep('altered token', `${theirs.slice(0, -8)}AAAAAAAA`)
    expect((await bearer(altered, '/graphql')).status).toBe(401)
  })

  it('goes on under another key, and a forgotten password is set anew', async () => {
    const { link } = await operator.graphql<{ link: { path: string } }>(
      `mutation { rotateSigningKey { kid } link: createPasswordLink(email: "${ann.login}") { path } }`,
    )
    const token = keep('link of a reset', new URL(link.path, server.url).searchParams.get('link'))
    expect((await fetch(`${server.url}/login/password?link=${token}`)).status).toBe(200)
  })
})

/** An ID token that the company has made for us. */
async function tokenOfCompany(): Promise<string> {
  const { issuer, clientId, clientSecret } = company
  const begun = await begin(await discover(issuer, { uuid: '', clientId, secret: clientSecret }), { scope: 'openid' })
  const browser = new CookieClient()
  const who = await browser.open(begun.url)
  const tokens = await begun.finish(await browser.follow(await browser.get(`${who.url}?sub=carol`)))
  return keep('ID token of the other provider', tokens.id_token)
}

/** Which secrets a text holds, whole or in part. */
function foundIn(text: string): string[] {
  return new CanaryDetector([...secrets].map(([name, secret]) => ({ name, text: secret }))).findIn(text)
}

describe('afterwards', STORY, () => {
  let rows: string
  beforeAll(async () => {
    const open = await openPostgres(database.url, { maxConnections: 1 })
    rows = JSON.stringify(await dumpTables(open))
    await open.close()
  })

  it('all that was looked at holds what it should', () => {
    const stored = [ann.login, consumer.clientId, hash('sha256', operator.token), 'carol@company.example']
    for (const text of stored) expect(rows).toContain(text)
    for (const text of [`"path":"${TOKEN}"`, '"msg":"refused"', `"actor":"${ann.login}"`])
      expect(server.written()).toContain(text)
    expect(foundIn(`${rows} ${ann.password}`)).toHaveLength(1)
    expect(secrets.size).toBeGreaterThan(40)
  })

  it('no row of the database holds a secret, whole or in part', () => expect(foundIn(rows)).toStrictEqual([]))

  it('no line of the log holds one', () => expect(foundIn(server.written())).toStrictEqual([]))
})
