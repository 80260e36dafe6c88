import * as oidc from 'openid-client'
import { CookieClient, hiddenFields, type Reply } from '../../support/cookie-client.ts'
import { CALLBACK, type Consumer, type Person } from './people.ts'

// An application that signs people in, as its developer would write it with openid-client; and what its users do.

type Parameters = { readonly [name: string]: string }

/** What an application keeps of an authorization request until its answer comes. */
export interface Begun {
  readonly url: string
  readonly verifier: string
  /** The code for tokens. */
  finish(reply: Reply): ReturnType<typeof oidc.authorizationCodeGrant>
}

export function discover(
  url: string,
  { clientId, secret }: Consumer,
  authentication = oidc.ClientSecretBasic,
): Promise<oidc.Configuration> {
  const options = { execute: [oidc.allowInsecureRequests] }
  return oidc.discovery(new URL(url), clientId, undefined, authentication(secret), options)
}

export async function begin(client: oidc.Configuration, parameters: Parameters = {}): Promise<Begun> {
  const verifier = oidc.randomPKCECodeVerifier()
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
  const url = oidc.buildAuthorizationUrl(client, {
    redirect_uri: CALLBACK,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  })
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
  return {
    url: url.href,
    verifier,
    finish: (reply) => oidc.authorizationCodeGrant(client, landing(reply), checks),
  }
}

/** Where the browser is sent, away from the server. */
export function landing({ headers, text, status }: Reply): URL {
  if (headers.location === undefined) throw new Error(`no redirect but ${status}: ${text.slice(0, 2000)}`)
  return new URL(headers.location)
}

export function enterPassword(browser: CookieClient, page: Reply, { login, password }: Person): Promise<Reply> {
  return browser.submit(page, { decision: 'sign-in', username: login, password })
}

/** A person signs in, in a new browser. */
export async function signIn(client: oidc.Configuration, person: Person, parameters: Parameters = {}) {
  const browser = new CookieClient()
  const begun = await begin(client, parameters)
  const reply = await enterPassword(browser, await browser.open(begun.url), person)
  return { browser, begun, reply, tokens: await begun.finish(reply) }
}

/** A code that nobody has used yet. */
export async function obtainCode(client: oidc.Configuration, person: Person, parameters: Parameters = {}) {
  const browser = new CookieClient()
  const begun = await begin(client, parameters)
  const reply = await enterPassword(browser, await browser.open(begun.url), person)
  const code = landing(reply).searchParams.get('code')
  if (code === null) throw new Error(`no code in ${landing(reply).href}`)
  return { code, verifier: begun.verifier, browser }
}

export async function signOut(browser: CookieClient, page: Reply): Promise<Reply> {
  const url = new URL('/logout/confirm', page.url).href
  return browser.follow(await browser.post(url, { ...hiddenFields(page), logout: 'yes' }))
}

export interface TokenAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly [name: string]: unknown }
}

/** A form sent to an endpoint by hand, for what no library would send. */
export async function post(
  url: string,
  path: string,
  fields: Parameters | URLSearchParams,
  { headers = {}, consumer }: { readonly headers?: Parameters; readonly consumer?: Consumer } = {},
): Promise<TokenAnswer> {
  const basic =
    consumer === undefined ? {} : { authorization: `Basic ${btoa(`${consumer.clientId}:${consumer.secret}`)}` }
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { ...basic, ...headers },
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as TokenAnswer['body']) : { text },
  }
}
