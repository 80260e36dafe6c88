import { seeOther } from '../../server/see-other.ts'
import { hash, randomBytes } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { isObject } from '../../lib/json.ts'
import { consoleClientId } from '../../platform/access/accounts/bootstrap.ts'
import type { AppEnv } from '../../server/app-env.ts'
import { cookieName } from '../../server/login/binding.ts'
import { html } from '../../server/html.ts'
import { pageResponse } from '../../server/login/page.ts'
import { withCookie } from '../../server/login/set-cookie.ts'
import { CONSOLE_CALLBACK } from '../../server/oidc/clients/clients.ts'
import type { PageServices } from '../../server/page-services.ts'
import { HttpError } from '../../server/requests/error-response.ts'
import { seal, sealSession, sessionCookieName, unseal } from './session.ts'

// The console signs people in as any application would: by the authorization code flow with PKCE (RFC 6749, section 4.1;
// RFC 7636), at the provider of its own domain.

const SCOPES = 'openid service'
const MINUTES_TO_SIGN_IN = 60

/** What the browser keeps while somebody signs in. */
interface Begun {
  readonly state: string
  readonly verifier: string
  /** The address of the console to go back to. */
  readonly to: string
}

const BEGUN = 'console sign-in'

/** Sends the browser to the provider, to come back to the address that it asked for. */
export async function beginSignIn(services: PageServices, request: Context<AppEnv>): Promise<Response> {
  const access = services.access(request)
  const [clientId, { issuer }] = await Promise.all([consoleClientId(access), services.provider(request)])
  if (clientId === null)
    throw new HttpError('UNAVAILABLE', 503, 'Not available', 'the console of this domain has not been set up yet')
  const { pathname, search } = new URL(request.req.url)
  const to = request.req.method === 'GET' ? pathname + search : '/'
  const begun: Begun = { state: random(), verifier: random(), to }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: `${issuer}${CONSOLE_CALLBACK}`,
    scope: SCOPES,
    state: begun.state,
    code_challenge: hash('sha256', begun.verifier, 'base64url'),
    code_challenge_method: 'S256',
  })
  const secure = issuer.startsWith('https:')
  return withCookie(seeOther(`/authenticate?${query.toString()}`), {
    name: begunCookieName(begun.state, secure),
    value: seal(access.key, JSON.stringify(begun), BEGUN),
    seconds: MINUTES_TO_SIGN_IN * 60,
    secure,
  })
}

/** The address to which the provider sends the browser back. */
export function addCallback(app: Hono<AppEnv>, services: PageServices): void {
  app.get(CONSOLE_CALLBACK, async (request) => {
    const access = services.access(request)
    const provider = await services.provider(request)
    const secure = provider.issuer.startsWith('https:')
    const query = new URL(request.req.url).searchParams
    const name = begunCookieName(query.get('state') ?? '', secure)
    const begun = begunIn(unseal(access.key, getCookie(request, name), BEGUN), query.get('state'))
    // Somebody who comes back a second time, by the browser's history, is signed in or begins anew.
    if (begun === null || query.get('code') === null) return refused(query.get('error')) ?? seeOther('/')
    const token = await redeem(services, request, query.get('code') ?? '', begun)
    if (token === null) return seeOther(begun.to)
    const answer = withCookie(seeOther(begun.to), {
      name: sessionCookieName(secure),
      value: sealSession(access, token),
      seconds: 8 * 3_600,
      secure,
    })
    return withCookie(answer, { name, value: '', seconds: 0, secure })
  })
}

/** Nobody is sent to the sign-in page again who has just said no there. */
function refused(error: string | null): Response | null {
  if (error === null) return null
  const body = html`<p>The console needs to know who you are.</p>
    <a class="button main" href="/">Sign in</a>`
  return pageResponse({ title: 'You are not signed in', body })
}

/** Redeems the code for an access token; null where it is not good any more. */
async function redeem(
  services: PageServices,
  request: Context<AppEnv>,
  code: string,
  { verifier }: Begun,
): Promise<string | null> {
  const { askProvider } = await import('../../server/oidc/mount.ts')
  const provider = await services.provider(request)
  const clientId = await consoleClientId(services.access(request))
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId ?? '',
    redirect_uri: `${provider.issuer}${CONSOLE_CALLBACK}`,
    code,
    code_verifier: verifier,
  }
  const answer = await askProvider(provider, '/authenticate/token', form, services.requestState(request))
  const tokens: unknown = await answer.json()
  if (answer.ok && isObject(tokens) && typeof tokens['access_token'] === 'string') return tokens['access_token']
  return null
}

function begunIn(text: string | null, state: string | null): Begun | null {
  const begun: unknown = text === null ? null : JSON.parse(text)
  return isBegun(begun) && begun.state === state ? begun : null
}

function isBegun(value: unknown): value is Begun {
  if (typeof value !== 'object' || value === null) return false
  return ['state', 'verifier', 'to'].every((name) => typeof Reflect.get(value, name) === 'string')
}

/** Each sign-in has a cookie of its own, so that two tabs do not disturb each other. */
function begunCookieName(state: string, isSecure: boolean): string {
  return cookieName(`console-${hash('sha256', state, 'base64url').slice(0, 12)}`, isSecure)
}

function random(): string {
  return randomBytes(32).toString('base64url')
}
