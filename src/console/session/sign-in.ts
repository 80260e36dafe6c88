import { seeOther } from '../../server/see-other.ts'
import { createHmac, hash, randomBytes } from 'node:crypto'
import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { isObject } from '../../lib/json.ts'
import type { DataKey } from '../../platform/data-key.ts'
import { consoleClientId } from '../../platform/access/accounts/bootstrap.ts'
import type { AppEnv } from '../../server/app-env.ts'
import { browserCookie, browserCookieName } from '../../server/login/binding.ts'
import { html } from '../../server/html.ts'
import { pageResponse } from '../../server/login/page.ts'
import { withCookie } from '../../server/login/set-cookie.ts'
import { CONSOLE_CALLBACK } from '../../server/oidc/clients/clients.ts'
import type { PageServices } from '../../server/page-services.ts'
import { HttpError } from '../../server/requests/error-response.ts'
import { pathOfSite } from '../zone.ts'
import type { Redirect } from '../page.ts'
import { seal, sealSession, sessionCookieName, unseal } from './session.ts'

// The console signs people in like any application: by the authorization code flow with PKCE (RFC 6749, section 4.1;
// RFC 7636), at the provider of its own domain.

const SCOPES = 'openid service'
const SECONDS_TO_SIGN_IN = 3_600

/** The content of `state`, which returns from the provider. It is sealed, and only this browser can use it. */
interface Begun {
  readonly nonce: string
  /** The address of the console to return to. */
  readonly to: string
  /** Milliseconds since 1970. */
  readonly until: number
}

/** The longest address that `state` contains. */
const LONGEST_ADDRESS = 2_000

/** Redirects the browser to the provider, and later back to the requested address. */
export async function beginSignIn(services: PageServices, request: Context<AppEnv>): Promise<Response> {
  const access = services.access(request)
  const [clientId, { issuer }] = await Promise.all([consoleClientId(access), services.provider(request)])
  if (clientId === null)
    throw new HttpError('UNAVAILABLE', 503, 'Not available', 'the console of this domain has not been set up yet')
  const secure = issuer.startsWith('https:')
  const cookie = browserCookie((name) => getCookie(request, name), secure)
  const browser = cookie.value
  const until = services.platform().now().getTime() + SECONDS_TO_SIGN_IN * 1_000
  const begun: Begun = { nonce: randomBytes(32).toString('base64url'), to: addressOf(request), until }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: `${issuer}${CONSOLE_CALLBACK}`,
    scope: SCOPES,
    state: seal(access.key, JSON.stringify(begun), purpose(browser)),
    code_challenge: hash('sha256', verifierOf(access.key, browser, begun), 'base64url'),
    code_challenge_method: 'S256',
  })
  return withCookie(seeOther(`/authenticate?${query.toString()}`), cookie)
}

/** The address to return to. Only the browser keeps the content of a sent form (assets/console.js). */
function addressOf({ req }: Context<AppEnv>): string {
  const { pathname, search } = new URL(req.url)
  const [address = '/'] = [pathname + search, pathname, '/'].filter(({ length }) => length <= LONGEST_ADDRESS)
  return req.method === 'GET' ? address : `${NOT_SENT}?${new URLSearchParams({ to: address }).toString()}`
}

const NOT_SENT = '/console/not-sent'

/** Answers a form of an earlier session of this browser. The form was read but not executed. */
export function notSent(request: Context<AppEnv>): Redirect {
  return { to: addressOf(request) }
}

/** The page that offers the form again after its session had ended. */
export function addNotSent(app: Hono<AppEnv>): void {
  app.get(NOT_SENT, ({ req }) => {
    const body = html`<p>
        The form was not sent, and nothing was stored: your session had ended, or you had signed in again in another
        tab. The form comes back as you filled it in, but without passwords, files and import documents. If it is empty,
        go back in your browser and copy what you wrote from there.
      </p>
      <a class="button main" href="${pathOfSite(req.query('to') ?? '/')}#again">Open the form again</a>`
    return pageResponse({ title: 'You are signed in again', body })
  })
}

/** Handles the redirect back from the provider. */
export function addCallback(app: Hono<AppEnv>, services: PageServices): void {
  app.get(CONSOLE_CALLBACK, async (request) => {
    const access = services.access(request)
    const provider = await services.provider(request)
    const secure = provider.issuer.startsWith('https:')
    const query = new URL(request.req.url).searchParams
    const browser = getCookie(request, browserCookieName(secure)) ?? ''
    const begun = begunIn(unseal(access.key, query.get('state') ?? '', purpose(browser)))
    // A repeated callback, such as by the browser's history, leads to the first page: the person is signed in already,
    // or starts again.
    const isLate = begun === null || services.platform().now().getTime() > begun.until
    if (isLate || query.get('code') === null) return refused(query.get('error')) ?? seeOther('/')
    const verifier = verifierOf(access.key, browser, begun)
    const token = await redeem(services, request, query.get('code') ?? '', verifier)
    if (token === null) return seeOther(begun.to)
    return withCookie(seeOther(begun.to), {
      name: sessionCookieName(secure),
      value: sealSession(access, token),
      seconds: 8 * 3_600,
      secure,
    })
  })
}

/** Shows the error of the provider. Redirecting to the sign-in would ask a person again who has just refused. */
function refused(error: string | null): Response | null {
  if (error === null) return null
  const body = html`<p>The console needs to know who you are.</p>
    <a class="button main" href="/">Sign in</a>`
  return pageResponse({ title: 'You are not signed in', body })
}

/** Redeems the code for an access token; null if the code is no longer valid. */
async function redeem(
  services: PageServices,
  request: Context<AppEnv>,
  code: string,
  verifier: string,
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

function begunIn(text: string | null): Begun | null {
  const begun: unknown = text === null ? null : JSON.parse(text)
  return isBegun(begun) ? begun : null
}

function isBegun(value: unknown): value is Begun {
  if (!isObject(value)) return false
  return typeof value['nonce'] === 'string' && typeof value['to'] === 'string' && typeof value['until'] === 'number'
}

/** The purpose of the seal. Only the browser that began a sign-in can finish it. */
function purpose(browser: string): string {
  return `console sign-in ${browser}`
}

function verifierOf(key: DataKey, browser: string, { nonce }: Begun): string {
  return createHmac('sha256', key.derive('holdfast console sign-in')).update(`${browser}\n${nonce}`).digest('base64url')
}
