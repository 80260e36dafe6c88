import type { JWTPayload } from 'jose'
import { deleteMethod, createDelegatedMethod, listMethods } from '../../../src/platform/access/methods/methods.ts'
import type { DelegatedMethod } from '../../../src/platform/access/methods/methods.ts'
import { openSession } from '../../../src/console/session/session.ts'
import { narrowToken } from '../../../src/platform/access/sessions/narrow-token.ts'
import { identifierOf } from '../../../src/platform/access/clients/clients.ts'
import { createRecord } from '../../../src/platform/records/change-record.ts'
import type { Json } from '../../../src/lib/json.ts'
import { AUDIENCE, startCompany, type Company } from '../../support/company.ts'
import { startConsoleServer } from '../../support/console-server.ts'
import type { Reply } from '../../support/cookie-client.ts'
import { setGrants } from '../../support/grants.ts'
import { startAnother, VERIFIER, type LoginServer } from '../../support/login-server.ts'
import { addConsole } from '../../../src/console/console.ts'
import { choose, locationOf, newBrowser, type Browser } from './company-visit.ts'

// A person of a company's provider who is an administrator here, and all ways in that she has.

export const SECRET = 'secret-of-the-offline-app-0123456789'
export const ADA = { sub: 'ada', email: 'ada@corp.example', email_verified: true } as const

export interface CompanyWorld {
  readonly company: Company
  /** Two servers on one database. */
  readonly servers: readonly [LoginServer, LoginServer]
  /** The client_id of an application that may refresh. */
  readonly clientId: string
  /** Makes the only method by which people can sign in at the company. */
  trust(terms?: object): Promise<DelegatedMethod>
  /** Signs in at the authorization endpoint, in a browser, as whom the company signs these claims for. */
  signIn(claims: JWTPayload, options?: SignInOptions): Promise<Reply>
  /** Signs in and redeems the code. */
  tokens(claims: JWTPayload, options?: SignInOptions): Promise<Tokens>
  /** Redeems the code that the browser brings. */
  redeem(reply: Reply): Promise<Tokens>
  refresh(token: string, server?: LoginServer): Promise<Tokens>
  exchange(token: string): Promise<Tokens>
  close(): Promise<void>
}

export interface SignInOptions {
  readonly browser?: Browser
  /** More parameters of the authorization request. */
  readonly params?: { readonly [name: string]: string }
}

export type Tokens = { readonly [member in 'access_token' | 'refresh_token' | 'id_token' | 'error' | 'scope']?: string }

/** `others` are providers that may be asked as well. */
export async function startCompanyWorld(
  now: () => Date = () => new Date(),
  others: readonly Company[] = [],
): Promise<CompanyWorld> {
  const company = await startCompany(now)
  const allowedOrigins = [company, ...others].map(({ issuer }) => issuer)
  const server = await startConsoleServer({ allowedOrigins, now })
  const other = await startAnother(server, { addPages: addConsole })
  await createRecord(server.context, 'users', { email: ADA.email }, [])
  await setGrants(server.context, [{ role: 'administrator', user: ADA.email }])
  const clientId = await makeOfflineApplication(server)
  const ask = (fields: { readonly [name: string]: string }, { url }: LoginServer = server) =>
    tokensOf(url, clientId, fields)
  const world: CompanyWorld = {
    company,
    servers: [server, other],
    clientId,
    async trust(terms = {}) {
      for (const { kind, uuid } of await listMethods(server.context))
        if (kind !== 'internal') await deleteMethod(server.context, uuid)
      const configuration = { clientId: AUDIENCE, issuer: company.issuer, emailDomains: ['corp.example'], ...terms }
      return createDelegatedMethod(server.context, { status: 'ACTIVATED', name: 'Company', configuration })
    },
    signIn: (claims, { browser = newBrowser(), params = {} } = {}) =>
      signInAt(world, browser, server.authorizationUrl('trusted', { client_id: clientId, ...params }), claims),
    tokens: async (claims, options) => world.redeem(await world.signIn(claims, options)),
    redeem(reply) {
      const code = new URL(locationOf(reply)).searchParams.get('code') ?? ''
      const redirect_uri = server.application.callback
      return ask({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: VERIFIER })
    },
    refresh: (token, at) => ask({ grant_type: 'refresh_token', refresh_token: token }, at),
    exchange: (token) =>
      ask({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      }),
    async close() {
      await other.close()
      await server.close()
      company.close()
    },
  }
  return world
}

async function makeOfflineApplication({ context, application }: LoginServer): Promise<string> {
  const fields: { readonly [field: string]: Json } = {
    name: 'Offline',
    slug: 'offline',
    secret: SECRET,
    grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'],
    redirectUris: [application.callback],
    noExplicitConsentRequired: true,
  }
  return identifierOf(await createRecord(context, 'applicationConsumers', fields, []))
}

/** Opens an address that leads to the login page, chooses the company, and comes back from it. */
export async function signInAt(
  { company, servers: [server] }: Pick<CompanyWorld, 'company' | 'servers'>,
  browser: Browser,
  address: string,
  claims: JWTPayload,
): Promise<Reply> {
  const leave = new URL(await choose(server, browser, await browser.here.open(address)))
  company.giveOut(await company.sign({ nonce: leave.searchParams.get('nonce'), ...claims }))
  const back = new URL(leave.searchParams.get('redirect_uri') ?? '')
  back.search = new URLSearchParams({ code: 'any', state: leave.searchParams.get('state') ?? '' }).toString()
  return browser.here.open(back.href)
}

export interface Visitor {
  readonly browser: Browser
  /** The token that the console keeps in its cookie. */
  readonly token: string
}

export async function signInToConsole(world: CompanyWorld, claims: JWTPayload): Promise<Visitor> {
  const [server] = world.servers
  const browser = newBrowser()
  await signInAt(world, browser, `${server.url}/systems`, claims)
  const session = openSession(server.context, browser.here.cookie(/console$/))
  return { browser, token: session?.token ?? '' }
}

export const SERVICE = { params: { scope: 'openid service' } }

type TokenFor = (world: CompanyWorld, claims: JWTPayload) => Promise<string | undefined>

/** The token of each way in for these claims. */
export const WAYS: { readonly [way: string]: TokenFor } = {
  bearer: ({ company }, claims) => company.sign(claims),
  exchange: async ({ company, exchange }, claims) => (await exchange(await company.sign(claims))).access_token,
  application: async ({ tokens }, claims) => (await tokens(claims, SERVICE)).access_token,
  'refreshed token': async ({ tokens, refresh }, claims) =>
    (await refresh((await tokens(claims, SERVICE)).refresh_token ?? '')).access_token,
  console: async (world, claims) => (await signInToConsole(world, claims)).token,
  async "console's token for a terminal"(world, claims) {
    const { token } = await signInToConsole(world, claims)
    return (await narrowToken(world.servers[0].context, token, { scope: 'service', seconds: 60 })) ?? undefined
  },
}

async function tokensOf(url: string, clientId: string, fields: { readonly [name: string]: string }): Promise<Tokens> {
  const answer = await fetch(`${url}/authenticate/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${SECRET}`)}` },
    body: new URLSearchParams(fields),
  })
  return (await answer.json()) as Tokens
}

/** The rights that a server gives a token; none where it may not even ask; a number where the status is not 200. */
export async function rightsAt({ url }: Pick<LoginServer, 'url'>, token = ''): Promise<readonly string[] | number> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: '{ me { rights } }' }),
  })
  const { data } = (await answer.json()) as { data?: { me: { rights: string[] } | null } | null }
  return data === undefined ? answer.status : (data?.me?.rights.toSorted() ?? [])
}
