import { capitalized } from '../../lib/letter-case.ts'
import { hash } from 'node:crypto'
import type { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { HoldfastError } from '../../lib/errors.ts'
import type { Account } from '../../platform/access/accounts/account.ts'
import { readPasswordLink, setPassword } from '../../platform/access/accounts/password-links.ts'
import type { AppEnv } from '../app-env.ts'
import { browserCookie, browserCookieName, csrfToken } from './binding.ts'
import { isCsrf } from './csrf.ts'
import { withFailurePage } from './failure-page.ts'
import { readForm, type Form } from './form.ts'
import type { LoginPorts, RequestContext } from './login-ports.ts'
import { isSecure } from './open-interaction.ts'
import { pageResponse } from './page.ts'
import { LINK_UNUSABLE, newPasswordPage, passwordSaved } from './pages/password-page.ts'
import { withCookie } from './set-cookie.ts'

/** The pages of a link for setting a password. Operators create these links. */
export function passwordRoutes(app: Hono<AppEnv>, ports: LoginPorts): void {
  app.get('/login/password', withFailurePage(ports, show))
  app.post('/login/password', withFailurePage(ports, answer))
}

async function show(ports: LoginPorts, request: RequestContext): Promise<Response> {
  const link = request.req.query('link') ?? ''
  const access = ports.access(request)
  const account = await readPasswordLink(access, link)
  if (account === null) return pageResponse(LINK_UNUSABLE, 404)
  return showForm(ports, request, { account, link, problem: undefined })
}

async function answer(ports: LoginPorts, request: RequestContext): Promise<Response> {
  const form = await readForm(request)
  const link = form('link') ?? ''
  const access = ports.access(request)
  const account = await readPasswordLink(access, link)
  if (account === null) return pageResponse(LINK_UNUSABLE, 404)
  const browser = getCookie(request, browserCookieName(isSecure(await ports.provider(request))))
  const isOurs = browser !== undefined && isCsrf(form('csrf'), csrfToken(access, nameOf(link), browser))
  const problem = isOurs
    ? mismatchOf(form)
    : 'The page was open for too long, or this browser accepts no cookies. Try again.'
  if (problem !== undefined) return showForm(ports, request, { account, link, problem })
  try {
    const changed = await setPassword(access, link, form('password') ?? '')
    if (changed === null) return pageResponse(LINK_UNUSABLE, 404)
    return pageResponse(passwordSaved((await ports.provider(request)).issuer))
  } catch (error) {
    if (!(error instanceof HoldfastError) || !isAboutPassword(error)) throw error
    return showForm(ports, request, { account, link, problem: sentence(error.message) })
  }
}

function mismatchOf(form: Form): string | undefined {
  return form('password') === form('repeated') ? undefined : 'The two passwords are not the same. Type both again.'
}

function isAboutPassword({ code }: HoldfastError): boolean {
  return code === 'BAD_USER_INPUT' || code === 'LIMIT_EXCEEDED'
}

/** Makes a sentence from an error message, which begins in lower case and has no full stop. */
function sentence(message: string): string {
  return `${capitalized(message)}.`
}

interface Shown {
  readonly account: Account
  readonly link: string
  readonly problem: string | undefined
}

async function showForm(
  ports: LoginPorts,
  request: RequestContext,
  { account, link, problem }: Shown,
): Promise<Response> {
  const cookie = browserCookie((name) => getCookie(request, name), isSecure(await ports.provider(request)))
  const csrf = csrfToken(ports.access(request), nameOf(link), cookie.value)
  const page = newPasswordPage({ login: account.login, link, csrf, problem })
  const shown = { ...page, domain: request.get('domain').name }
  return withCookie(pageResponse(shown, problem === undefined ? 200 : 422), cookie)
}

/** Returns the id for the CSRF token of a link, because the link itself is a secret. */
function nameOf(link: string): string {
  return hash('sha256', link, 'base64url').slice(0, 22)
}
