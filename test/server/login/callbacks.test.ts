import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createDelegatedMethod,
  deleteMethod,
  listMethods,
  updateMethod,
  type DelegatedMethod,
} from '../../../src/platform/access/methods/methods.ts'
import { adviceOnMethod } from '../../../src/platform/access/methods/method-advice.ts'
import { tokenHash } from '../../../src/platform/access/sessions/token-hash.ts'
import { findArtifact, saveArtifact } from '../../../src/store/access/artifacts.ts'
import { writeAccess } from '../../../src/store/domains.ts'
import { startExternalIssuer, type ExternalIssuer } from '../../support/external-issuer.ts'
import { ANN, startAnother, startLoginServer, type LoginServer } from '../../support/login-server.ts'
import { choose, locationOf, newBrowser, openLogin, visitCompany, type Browser } from './company-visit.ts'

// Each method has its own redirect URI, at which alone the answers of its provider count (RFC 9700, section 4.4).

const SHARED = '/login/callback'

let server: LoginServer
let other: LoginServer
let company: ExternalIssuer
let supplier: Supplier
let redirectUris: string[] = []

beforeAll(async () => {
  const people = [{ sub: 'ann-there', email: ANN.email, email_verified: true }]
  company = await startExternalIssuer(() => ({ redirectUris, people }))
  supplier = await startSupplier()
  server = await startLoginServer({ allowedOrigins: [company.issuer, supplier.issuer] })
  other = await startAnother(server, {})
})
beforeEach(async () => {
  for (const { uuid, kind } of await listMethods(server.context))
    if (kind === 'openid-delegated') await deleteMethod(server.context, uuid)
  supplier.codes.length = 0
})
afterAll(async () => {
  await other.close()
  await server.close()
  await company.close()
  supplier.close()
})

/** A hostile provider: it keeps the codes that are sent to its token endpoint. */
interface Supplier {
  readonly issuer: string
  readonly codes: string[]
  close(): void
}

async function startSupplier(): Promise<Supplier> {
  const codes: string[] = []
  const supplying: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      if (request.url === '/token') codes.push(new URLSearchParams(body).get('code') ?? '')
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(request.url === '/token' ? { error: 'invalid_grant' } : description(issuer)))
    })
  })
  await new Promise<void>((resolve) => supplying.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(supplying.address() as AddressInfo).port}`
  return { issuer, codes, close: () => supplying.close() }
}

function description(issuer: string): object {
  return {
    issuer,
    jwks_uri: `${issuer}/keys`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

function trustCompany(): Promise<DelegatedMethod> {
  const { clientId, clientSecret, issuer } = company
  const configuration = { clientId, clientSecret, issuer, emailDomains: ['example.org'] }
  return createDelegatedMethod(server.context, { status: 'ACTIVATED', name: 'The company', configuration })
}

function trustSupplier(): Promise<DelegatedMethod> {
  const { issuer } = supplier
  const configuration = { clientId: 'holdfast', clientSecret: 'between-us', issuer, scopes: ['openid', 'email'] }
  return createDelegatedMethod(server.context, { status: 'ACTIVATED', name: 'The supplier', configuration })
}

/** As the migration leaves a method of an earlier release. */
async function makeOld({ uuid }: DelegatedMethod): Promise<void> {
  const { database } = server.context
  await database.script(`update authentication_methods set shares_callback = true where uuid = '${uuid}'`)
}

/** Where the browser is sent to sign in by this method. */
async function leaveFor({ uuid }: DelegatedMethod, browser: Browser): Promise<URL> {
  const page = await openLogin(server, browser)
  const links = [...page.text.matchAll(/href="(\/login\/external[^"]*)"/g)].map(([, href = '']) => href)
  const href = links.map((link) => link.replaceAll('&amp;', '&')).find((link) => link.includes(uuid))
  return new URL(locationOf(await browser.here.get(server.url + href)))
}

/** Leaves a sign-in that was begun as an earlier release remembers it. */
async function forgetAddition(state: string): Promise<void> {
  const { database, domain, key } = server.context
  const [hash, context] = [tokenHash(state), `ExternalLogin of ${domain.uuid}`]
  await writeAccess(database, domain.id, async (sql) => {
    const found = await findArtifact(sql, domain.id, 'ExternalLogin', hash)
    if (found === null) throw new Error('no sign-in was begun')
    const text = key.unseal(new Uint8Array(Buffer.from(String(found.payload['sealed']), 'base64')), context)
    const { interaction, method, nonce, verifier } = JSON.parse(text) as { readonly [name: string]: string }
    const sealed = key.seal(JSON.stringify({ interaction, method, nonce, verifier }), context)
    await saveArtifact(sql, domain.id, { ...found, payload: { sealed: Buffer.from(sealed).toString('base64') } })
  })
}

function adviceOf(uuid: string): Promise<string | null> {
  return listMethods(server.context).then((methods) => {
    const method = methods.find((one) => one.uuid === uuid)
    return method?.kind === 'openid-delegated' ? adviceOnMethod(method, methods) : null
  })
}

it.each(['of the company', 'that methods of earlier releases share'])(
  'a hostile provider does not get the code of another one at the redirect URI %s',
  async (which) => {
    const [trusted, hostile] = [await trustCompany(), await trustSupplier()]
    const path = which === 'of the company' ? `${SHARED}/${trusted.uuid}` : SHARED
    redirectUris = [server.url + path]
    const [attacker, victim] = [newBrowser(), newBrowser()]
    const ofAttacker = await leaveFor(trusted, attacker)
    const ofVictim = await leaveFor(hostile, victim)
    expect(ofVictim.origin).toBe(supplier.issuer)
    // The supplier sends the victim on to the company: with the sign-in that the attacker has begun, and the victim's state.
    const forged = new URL(ofAttacker)
    forged.searchParams.set('state', ofVictim.searchParams.get('state') ?? '')
    forged.searchParams.set('redirect_uri', server.url + path)
    const back = new URL(await visitCompany(victim, forged.href, 'sub=ann-there'))
    expect(back.href).toContain(`${server.url + path}?code=`)
    // Many providers do not name themselves in the answer (RFC 9207), by which the mix-up would be seen, too.
    back.searchParams.delete('iss')
    const page = await victim.here.open(back.href)
    expect(page.text).toContain('did not work')
    expect(supplier.codes).toStrictEqual([])
    expect(server.log.join('\n')).toContain(`the redirect path of The supplier`)
  },
)

it('an answer at the redirect URI of another method does not count, on either server', async () => {
  const [trusted, hostile] = [await trustCompany(), await trustSupplier()]
  for (const { url } of [server, other]) {
    redirectUris = [`${server.url}${SHARED}/${trusted.uuid}`]
    const browser = newBrowser()
    const leave = await leaveFor(trusted, browser)
    const query = new URLSearchParams({ code: 'any', state: leave.searchParams.get('state') ?? '' })
    const asked = company.requests.length
    const page = await browser.here.open(`${url}${SHARED}/${hostile.uuid}?${query}`)
    expect(page.text).toContain('did not work')
    expect(company.requests.slice(asked)).not.toContain('POST /token')
  }
})

describe('a method of an earlier release', () => {
  it('keeps the shared redirect URI while it is the only provider, and says what else to register', async () => {
    const old = await trustCompany()
    await makeOld(old)
    const browser = newBrowser()
    const leave = new URL(await choose(server, browser, await openLogin(server, browser)))
    expect(leave.searchParams.get('redirect_uri')).toBe(server.url + SHARED)
    expect(await adviceOf(old.uuid)).toContain(
      `Register the redirect path ${SHARED}/${old.uuid} at the provider, besides ${SHARED}, before you add another provider.`,
    )
  })

  it('has its own one as soon as there is another provider for people, and both say so', async () => {
    const old = await trustCompany()
    await makeOld(old)
    const added = await trustSupplier()
    const leave = await leaveFor(old, newBrowser())
    expect(leave.searchParams.get('redirect_uri')).toBe(`${server.url}${SHARED}/${old.uuid}`)
    expect(await adviceOf(old.uuid)).toContain(`must know the redirect path ${SHARED}/${old.uuid}`)
    expect(await adviceOf(added.uuid)).toContain(
      `The provider of "The company" must know its redirect path ${SHARED}/${old.uuid} now.`,
    )
    await updateMethod(server.context, added.uuid, { status: 'DEACTIVATED' })
    const again = newBrowser()
    const alone = new URL(await choose(server, again, await openLogin(server, again)))
    expect(alone.searchParams.get('redirect_uri')).toBe(server.url + SHARED)
  })

  it('lets somebody in at the shared one whom a server of the earlier release sent away', async () => {
    const old = await trustCompany()
    await makeOld(old)
    redirectUris = [server.url + SHARED]
    const browser = newBrowser()
    const leave = new URL(await choose(server, browser, await openLogin(server, browser)))
    await forgetAddition(leave.searchParams.get('state') ?? '')
    const back = await browser.here.open(await visitCompany(browser, leave.href, 'sub=ann-there'))
    expect(locationOf(back)).toContain(`${server.application.callback}?code=`)
  })

  it('lets nobody in at the shared one who left before another provider was added', async () => {
    const old = await trustCompany()
    await makeOld(old)
    const browser = newBrowser()
    const leave = new URL(await choose(server, browser, await openLogin(server, browser)))
    await trustSupplier()
    const query = new URLSearchParams({ code: 'any', state: leave.searchParams.get('state') ?? '' })
    expect((await browser.here.open(`${server.url}${SHARED}?${query}`)).text).toContain('did not work')
  })
})

it('a method for machine users alone has no redirect URI, and leaves that of others as it is', async () => {
  const old = await trustCompany()
  await makeOld(old)
  const rules = [{ name: 'robot', claims: { sub: 'robot' }, machineUser: 'robot', scopes: ['data:read'] }]
  const machines = await createDelegatedMethod(server.context, {
    status: 'ACTIVATED',
    configuration: { clientId: 'robots', issuer: 'https://robots.example', rules },
  })
  expect(await adviceOf(machines.uuid)).toBeNull()
  const browser = newBrowser()
  const leave = new URL(await choose(server, browser, await openLogin(server, browser)))
  expect(leave.searchParams.get('redirect_uri')).toBe(server.url + SHARED)
})
