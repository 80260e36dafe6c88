import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as oidc from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdfast } from '../reconcile/run-command.ts'
import { CookieClient } from '../support/cookie-client.ts'
import { strongSecret } from '../support/example-records.ts'
import { putMigratedPglite } from '../support/migrated-pglite.ts'
import { freshClone, npmRun, removeClone, plainEnvironment, type Ended } from './fresh-clone.ts'
import { readPage } from './documents.ts'
import { blocks, section } from './markdown.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { startServer } from './server-process.ts'

// What the documents say of signing in, as it is typed there, against a server in a process of its own. One story.

const STORY = { timeout: 180_000 }
const SIGNING_IN = readPage('docs/how-to/signing-in.md')
const SECRETS = {
  WEATHER_IMPORT_SECRET: 'weather+import/secret%0123456789',
  WEATHER_PASSWORD: 'password of the weather & more',
  PORTAL_SECRET: 'secret-of-the-portal-0123456789',
}
const PASSWORD = 'three lamps by the river'
const CALLBACK = 'https://portal.example.com/callback'
const PORTAL = `applicationConsumers:
  - name: Portal
    slug: portal
    secret: \${env:PORTAL_SECRET}
    grantTypes: [AUTHORIZATION_CODE, REFRESH_TOKEN]
    redirectUris: [${CALLBACK}]
    scopes: [openid, email]
users:
  - email: anna@example.com
`

let clone: string
let server: ServerProcess
let credential: { readonly [variable: string]: string }
beforeAll(async () => {
  clone = freshClone()
  putMigratedPglite(join(clone, 'data'))
  server = await startServer(clone, { HOLDFAST_DATA_DIR: join(clone, 'data') })
  const made = JSON.parse(readFileSync(join(clone, 'data/credentials.json'), 'utf8')) as { [name: string]: string }
  credential = {
    HOLDFAST_URL: server.url,
    HOLDFAST_CLIENT_ID: made['client_id'] ?? '',
    HOLDFAST_CLIENT_SECRET: made['client_secret'] ?? '',
    HOLDFAST_USERNAME: made['username'] ?? '',
    HOLDFAST_PASSWORD: made['password'] ?? '',
  }
}, STORY.timeout)
afterAll(async () => {
  await server.stop()
  await removeClone(clone)
})

function run(line: string, env: NodeJS.ProcessEnv = credential): Promise<Ended> {
  return npmRun(clone, line, { ...SECRETS, ...env })
}

async function tokenOf(form: { readonly [field: string]: string }): Promise<string> {
  const answer = await fetch(`${server.url}/authenticate/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** As the operator. */
async function graphql(query: string): Promise<unknown> {
  const token = await tokenOf({
    grant_type: 'password',
    client_id: credential['HOLDFAST_CLIENT_ID'] ?? '',
    client_secret: credential['HOLDFAST_CLIENT_SECRET'] ?? '',
    username: credential['HOLDFAST_USERNAME'] ?? '',
    password: credential['HOLDFAST_PASSWORD'] ?? '',
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { data, errors } = (await answer.json()) as { data?: unknown; errors?: unknown }
  expect(errors).toBeUndefined()
  return data
}

async function clientIdOf(slug: string): Promise<string> {
  const answer = await graphql(`{ applicationConsumer(slug: "${slug}") { identifier } }`)
  return (answer as { applicationConsumer: { identifier: string } }).applicationConsumer.identifier
}

describe('signing in', STORY, () => {
  it('on the command line: doctor finds the whole chain well', async () => {
    const unset = await run('doctor')
    expect(unset.stdout).toMatch(/^problem +models +models is valid, but \d+ references of it are not resolved here: /m)
    const named = readFileSync(join(clone, 'models/access.yaml'), 'utf8').matchAll(/\$\{env:(\w+)\}/g)
    const set = Object.fromEntries([...named].map(([, name]) => [name, strongSecret(name ?? '')]))
    const { code, stdout } = await run('doctor', { ...credential, ...set })
    expect(stdout).not.toMatch(/^problem/m)
    expect(stdout).toMatch(/^ok +discovery +sign-in is at http/m)
    expect(stdout).toMatch(/^ok +credential +operator at domain Local$/m)
    expect(stdout).toMatch(/^ok +rights +enough for plan, apply, export$/m)
    expect(code).toBe(0)
  })

  it.each([
    ['HOLDFAST_CLIENT_SECRET', /invalid_client.*check HOLDFAST_CLIENT_ID and HOLDFAST_CLIENT_SECRET/],
    ['HOLDFAST_PASSWORD', /invalid_grant.*check HOLDFAST_USERNAME and HOLDFAST_PASSWORD/],
    ['HOLDFAST_TOKEN', /the bearer token is invalid, expired or revoked; HOLDFAST_TOKEN may have expired/],
  ])('with a wrong %s says so', async (variable, message) => {
    const env = { ...credential, [variable]: 'wrong' }
    const { code, stdout } = await holdfast('doctor', { cwd: clone, env, fetch: (request) => fetch(request) })
    expect(stdout).toMatch(message)
    expect(code).toBe(1)
  })

  it('models with what is shown are applied', async () => {
    mkdirSync(join(clone, 'shown'))
    const [script = ''] = blocks(section(SIGNING_IN, 'A script'), 'yaml')
    writeFileSync(join(clone, 'shown/script.yaml'), script)
    writeFileSync(join(clone, 'shown/portal.yaml'), PORTAL)
    const { code, stdout, stderr } = await run('apply --models shown --yes')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stdout).toMatch(/^Applied: 4 records created/m)
  })

  it('a script gets its token by curl', async () => {
    const [command = ''] = blocks(section(SIGNING_IN, 'A script'), 'sh')
    const env = {
      ...plainEnvironment(),
      ...SECRETS,
      HOLDFAST_URL: server.url,
      CLIENT_ID: await clientIdOf('weather-import'),
    }
    const answer = JSON.parse(execFileSync('sh', ['-c', command], { env, stdio: 'pipe' }).toString()) as object
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'datapoints:write' })
  })

  it('a person sets a password by the link of an invitation, once', async () => {
    const { stdout, stderr } = await run('holdfast invite anna@example.com')
    expect(stderr).toContain('Give this link to anna@example.com')
    const browser = new CookieClient()
    const page = await browser.open(stdout.trim())
    const done = await browser.submit(page, { password: PASSWORD, repeated: PASSWORD })
    expect(done.status).toBe(200)
    const again = await new CookieClient().open(stdout.trim())
    expect(again.text).not.toContain('type="password"')
  })

  it('a person signs in to a web application', async () => {
    const { begin, finish } = await exampleModule()
    const clientId = await clientIdOf('portal')
    const config = await oidc.discovery(new URL(server.url), clientId, SECRETS.PORTAL_SECRET, undefined, {
      execute: [oidc.allowInsecureRequests],
    })
    const { address, checks } = await begin(config, CALLBACK)
    const browser = new CookieClient()
    const consent = await browser.submit(await browser.open(address.href), {
      decision: 'sign-in',
      username: 'anna@example.com',
      password: PASSWORD,
    })
    const { headers } = await browser.submit(consent, { decision: 'allow' })
    const { tokens, user } = await finish(config, new URL(headers.location ?? ''), checks)
    expect(user).toMatchObject({ email: 'anna@example.com' })
    expect(tokens.refresh_token).toEqual(expect.any(String))
  })

  it('goes on when keys are rotated', async () => {
    const { stdout, code } = await run('holdfast keys rotate')
    expect(stdout).toMatch(/^The key \S+ is published now and signs from \S+\.$/m)
    expect(code).toBe(0)
  })

  it('nothing of it stands in the log', () => {
    const written = server.written()
    for (const secret of [...Object.values(SECRETS), PASSWORD]) expect(written).not.toContain(secret)
  })
})

interface Example {
  begin(config: oidc.Configuration, redirectUri: string): Promise<{ address: URL; checks: object }>
  finish(
    config: oidc.Configuration,
    url: URL,
    checks: object,
  ): Promise<{ tokens: { refresh_token?: string }; user: object }>
}

/** The code of the page, as a file. */
async function exampleModule(): Promise<Example> {
  const [code = ''] = blocks(section(SIGNING_IN, 'A web application'), 'js')
  const file = join(clone, 'sign-in.js')
  writeFileSync(file, code)
  return (await import(pathToFileURL(file).href)) as Example
}
