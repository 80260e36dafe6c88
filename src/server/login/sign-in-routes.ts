import type { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { passwordStampOf } from '../../platform/access/accounts/accounts.ts'
import { listLoginMethods } from '../../platform/access/methods/methods.ts'
import type { AppEnv } from '../app-env.ts'
import { isCsrf } from './csrf.ts'
import { answerConsent, showConsent } from './consent.ts'
import { withFailurePage } from './failure-page.ts'
import { readForm, type Form } from './form.ts'
import { DEVICE_SECONDS, deviceCookieName, knownDevice, rememberDevice } from './guard/known-device.ts'
import type { LoginPorts, RequestContext } from './login-ports.ts'
import { onlyProvider } from './external/only-provider.ts'
import {
  applicationName,
  beginAgain,
  endInteraction,
  endSignIn,
  isOpenElsewhere,
  isSecure,
  nothingBegun,
  notOpen,
  openInteraction,
  type OpenInteraction,
} from './open-interaction.ts'
import { seeOther } from '../see-other.ts'
import { guardedPassword } from './guard/password-guard.ts'
import { pageResponse } from './page.ts'
import { problemPage } from './pages/problem-page.ts'
import { signInPage } from './pages/sign-in-page.ts'
import { problemText } from './problem-text.ts'
import { withCookie } from './set-cookie.ts'
import { logSignIn, outcomeOf } from './sign-in-log.ts'
import { counted } from '../../lib/counted.ts'

/** The page `/login` (specification, section 4). It asks for everything that an application's request needs. */
export function signInRoutes(app: Hono<AppEnv>, ports: LoginPorts): void {
  app.get('/login', withFailurePage(ports, show))
  app.post('/login', withFailurePage(ports, answer))
}

async function show(ports: LoginPorts, request: RequestContext): Promise<Response> {
  const query = new URL(request.req.url).searchParams
  // The address equals the address of an authorization request, except for the path `/login`. So the request begins
  // here.
  if (!query.has('interaction'))
    return query.has('client_id') ? seeOther(`/authenticate?${query.toString()}`) : nothingBegun()
  const id = query.get('interaction') ?? ''
  const open = await openInteraction(ports, request, id)
  if (open === null)
    return query.has('client_id') && (await isOpenElsewhere(ports, request, id))
      ? seeOther(beginAgain(query))
      : notOpen(query)
  if (open.interaction.prompt.name === 'consent') return showConsent(open)
  const problem = query.get('problem')
  const only = problem === null ? await onlyProvider(open.access) : null
  if (only !== null) return (await import('./external/external-sign-in.ts')).goTo(ports, request, open, only)
  return showSignIn(open, { login: hintOf(open), problem: problemText(problem) })
}

async function answer(ports: LoginPorts, request: RequestContext): Promise<Response> {
  const form = await readForm(request)
  const open = await openInteraction(ports, request, form('interaction'))
  if (open === null) return notOpen(new URL(request.req.url).searchParams)
  if (!isCsrf(form('csrf'), open.csrf)) return forged()
  if (form('decision') === 'deny') return deny(open)
  return open.interaction.prompt.name === 'consent' ? answerConsent(open, form) : signIn(ports, request, open, form)
}

async function signIn(
  ports: LoginPorts,
  request: RequestContext,
  open: OpenInteraction,
  form: Form,
): Promise<Response> {
  const { access, provider } = open
  const method = (await listLoginMethods(access)).find(({ kind }) => kind === 'internal')
  if (method === undefined) return showSignIn(open, { login: '', problem: problemText('inactive') }, 403)
  const login = form('username')?.trim() ?? ''
  const cookie = getCookie(request, deviceCookieName(isSecure(provider)))
  const stamp = cookie === undefined ? null : await passwordStampOf(access, login)
  const device = stamp === null ? null : knownDevice(access, cookie, { login, stamp })
  const attempt = { domain: access.domain.uuid, login, address: ports.clientAddress(request), clientId: null, device }
  const done = await guardedPassword(access, ports.throttle, attempt, form('password') ?? '')
  logSignIn(ports.logger, access, { traceId: request.get('traceId'), attempt, ...outcomeOf(done) })
  if (done.state === 'throttled') return showThrottled(open, login, done.retryAfterSeconds)
  if (done.state === 'wrong') return showSignIn(open, { login, problem: problemText('wrong'), isWrong: true }, 422)
  const { account } = done
  const answered = await endSignIn(open, account, { methodUuid: method.uuid, stamp: account.stamp, provider: null })
  return withDevice(open, answered, rememberDevice(access, cookie, { login, stamp: account.stamp }))
}

function withDevice({ provider }: OpenInteraction, response: Response, value: string): Response {
  const secure = isSecure(provider)
  return withCookie(response, { name: deviceCookieName(secure), value, seconds: DEVICE_SECONDS, secure })
}

function showThrottled(open: OpenInteraction, login: string, seconds: number): Promise<Response> {
  const problem = `There were too many attempts. Wait ${waitText(seconds)}, then try again.`
  return showSignIn(open, { login, problem }, 429, { 'retry-after': String(seconds) })
}

function deny(open: OpenInteraction): Promise<Response> {
  return endInteraction(open, { error: 'access_denied', error_description: 'the person did not agree' })
}

interface Shown {
  /** The content of the first field. */
  readonly login: string
  readonly problem: string | undefined
  readonly isWrong?: boolean
}

async function showSignIn(
  open: OpenInteraction,
  { login, problem, isWrong = false }: Shown,
  status = 200,
  headers: { readonly [name: string]: string } = {},
): Promise<Response> {
  const { interaction, url, csrf } = open
  const methods = await listLoginMethods(open.access)
  const external = methods
    .filter(({ kind }) => kind !== 'internal')
    .map(({ uuid, name }) => ({ name, href: `/login/external?interaction=${interaction.uid}&method=${uuid}` }))
  const page = signInPage({
    application: await applicationName(open),
    form: { action: url, interaction: interaction.uid, csrf, login },
    hasPassword: external.length < methods.length,
    external,
    problem,
    isWrong,
  })
  return pageResponse({ ...page, domain: open.access.domain.name }, status, headers)
}

function hintOf({ interaction }: OpenInteraction): string {
  const hint = interaction.params['login_hint']
  return typeof hint === 'string' ? hint : ''
}

function forged(): Response {
  const lines = ['This form does not belong to this sign-in.', 'Go back, reload the page and try again.']
  return pageResponse(problemPage({ title: 'That was not accepted', lines }), 403)
}

/** The time to wait in readable form: `20 seconds`, `2 minutes`. */
function waitText(seconds: number): string {
  return seconds <= 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')
}
