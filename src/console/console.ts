import type { Context, Hono } from 'hono'
import { missingRight, requireRight } from '../auth/require-right.ts'
import { SessionsInUse } from '../platform/access/sessions/session-in-use.ts'
import type { AppEnv } from '../server/app-env.ts'
import { html } from '../server/html.ts'
import { isCsrf } from '../server/login/csrf.ts'
import { pageResponse, type Page } from '../server/login/page.ts'
import type { MissingPage, PageServices } from '../server/page-services.ts'
import { errorFields } from '../server/logger.ts'
import { HttpError, isExpected, publicError, statusOf } from '../server/requests/error-response.ts'
import { refuseOtherMethods } from '../server/requests/other-methods.ts'
import { seeOther } from '../server/see-other.ts'
import { checkAddress } from './address.ts'
import { addAssets } from './assets.ts'
import { readFilled } from './form.ts'
import { pageAnswer } from './frame/document.ts'
import { addKeysSwitch } from './frame/keys.ts'
import { addZoneSwitch } from './zone.ts'
import { redirected } from './once.ts'
import type { ConsolePage, Redirect, View, Visit } from './page.ts'
import { AREA_ALIASES, rightOf, type AreaName } from './frame/areas.ts'
import { failureView, forbiddenView } from './pages/failure.ts'
import { PAGES } from './pages/pages.ts'
import { readUpload, type SentForm } from './upload.ts'
import type { Hold } from '../server/requests/held-bytes.ts'
import { ROUTES } from './pages/page-data.ts'
import type { ConsoleRoute } from './route.ts'
import { addCallback, addNotSent, beginSignIn, notSent } from './session/sign-in.ts'
import { addSignOut } from './session/sign-out.ts'
import { findSignedIn, foreignForm, noteInUse, signedOut, type SessionServices } from './session/signed-in.ts'
import { visitOf } from './visit.ts'

/** Adds the console: web pages for people. They sign in to it as to any other application. */
export function addConsole(app: Hono<AppEnv>, pageServices: PageServices, pages = PAGES): MissingPage {
  const services = { ...pageServices, sessionsInUse: new SessionsInUse() }
  addAssets(app)
  addZoneSwitch(app)
  addKeysSwitch(app)
  addCallback(app, services)
  addNotSent(app)
  addSignOut(app, services)
  for (const page of pages) {
    app.get(page.path, (request) => answer(services, request, page))
    if (page.receive !== undefined) app.post(page.path, (request) => answer(services, request, page))
  }
  for (const route of ROUTES)
    app.on(route.isSent === true ? 'POST' : 'GET', route.path, (request) => answerRoute(services, request, route))
  for (const { path, receive } of pages)
    refuseOtherMethods(app, path, `GET, HEAD${receive === undefined ? '' : ', POST'}`)
  for (const { path, isSent } of ROUTES) refuseOtherMethods(app, path, isSent === true ? 'POST' : 'GET, HEAD')
  for (const [path, to] of AREA_ALIASES) app.get(path, () => seeOther(to))
  return (request) => answerMissing(services, request)
}

/** Answers browsers with a page if the address does not exist. Programs get a machine-readable answer. */
async function answerMissing(services: SessionServices, request: Context<AppEnv>): Promise<Response | null> {
  const isBrowser = request.req.method === 'GET' && request.req.header('accept')?.includes('text/html') === true
  if (!isBrowser) return null
  const signedIn = await findSignedIn(services, request)
  if (signedIn === null) return pageResponse(NOTHING_HERE, 404)
  const visit = visitOf(services, request, signedIn, 'domain:read')
  return pageAnswer(visit, null, failureView(404, 'there is nothing at this address', request.get('traceId')))
}

const NOTHING_HERE: Page = {
  title: 'There is nothing at this address',
  body: html`<p>Check the address, or begin at the first page.</p>
    <a class="button main" href="/">Go to the first page</a>`,
}

/**
 * Answers with a page, or executes a form. A slow sender can delay a form, so the session and the right are checked
 * before the form is read and again afterwards.
 */
async function answer(services: SessionServices, request: Context<AppEnv>, page: ConsolePage): Promise<Response> {
  if (request.req.method !== 'POST') return visited(services, request, page, (visit) => page.show(visit))
  let answered: Promise<Response> | undefined
  const refusal = await visited(services, request, page, ({ caller }) =>
    services.held.during(caller, async (hold) => {
      const sent = await readSent(request, page, hold)
      request.get('beginChange')(caller)
      answered = visited(services, request, page, (visit) => receive(request, page, visit, sent))
      await answered.catch(() => undefined)
      return { to: '' }
    }),
  )
  return answered ?? refusal
}

async function receive(request: Context<AppEnv>, page: ConsolePage, visit: Visit, { filled, files }: SentForm) {
  if (!isCsrf(filled.exact('csrf'), visit.csrf)) {
    if (isDialog(request)) throw signedOut()
    return notSent(request)
  }
  if (page.receive === undefined) throw new Error('a page without a form was sent one')
  return page.receive(visit, filled, files)
}

/** Runs the work for the person who is signed in now, if they have the right that the request needs. */
async function visited(
  services: SessionServices,
  request: Context<AppEnv>,
  page: ConsolePage,
  work: (visit: Visit) => Promise<View | Redirect>,
): Promise<Response> {
  const signedIn = await findSignedIn(services, request)
  if (signedIn === null) {
    if (isDialog(request)) throw signedOut()
    return beginSignIn(services, request)
  }
  const isSent = request.req.method === 'POST'
  const right = (isSent ? page.rightToChange : undefined) ?? rightOf(page, signedIn.actor)
  const visit = visitOf(services, request, signedIn, right)
  try {
    const missing = missingRight(isSent ? 'This change' : 'This page', right, visit.caller, page.keepsWithin)
    if (missing !== null) return pageAnswer(visit, page.area, forbiddenView(missing))
    checkAddress(visit)
    const made = await work(visit)
    return 'to' in made ? redirected(visit, made) : pageAnswer(visit, page.area, made)
  } catch (error) {
    return pageAnswer(visit, page.area, failureOf(services, visit, page.area, error))
  }
}

/** Whether a script shows the page as a dialog (assets/analyse/set-dialog.js). */
function isDialog({ req }: Context<AppEnv>): boolean {
  return req.header('x-holdfast-dialog') !== undefined
}

/** Answers 401 if nobody is signed in, because a script cannot sign a person in. */
async function answerRoute(
  services: SessionServices,
  request: Context<AppEnv>,
  route: ConsoleRoute,
): Promise<Response> {
  const signedIn = await findSignedIn(services, request)
  if (signedIn === null) throw signedOut()
  const visit = visitOf(services, request, signedIn, route.right)
  requireRight('This', route.right, visit.caller, route.keepsWithin)
  checkAddress(visit)
  if (route.isSent === true) await requireOwnForm(services, visit)
  const { session } = signedIn
  return route.answer({
    ...visit,
    noteInUse: () => void noteInUse(services, request, session),
    streams: () => services.streams(request),
  })
}

async function requireOwnForm(services: SessionServices, { request, caller, csrf }: Visit): Promise<void> {
  const filled = await services.held.during(caller, (hold) => readFilled(request, hold))
  if (!isCsrf(filled.exact('csrf'), csrf)) throw foreignForm()
}

/** Reads a form with files, which is much larger than one without. Only pages that expect files do so. */
async function readSent(request: Context<AppEnv>, { mostBytes }: ConsolePage, hold: Hold): Promise<SentForm> {
  const isUpload = request.req.header('content-type')?.startsWith('multipart/form-data') === true
  if (mostBytes !== undefined && isUpload) return readUpload(request, mostBytes, hold)
  return { filled: await readFilled(request, hold), files: () => undefined }
}

function failureOf({ logger }: PageServices, { request }: Visit, area: AreaName, error: unknown): View {
  const traceId = request.get('traceId')
  if (!isExpected(error)) logger.error({ traceId, ...errorFields(error) }, 'unexpected error')
  const { code, message } = publicError(error)
  return failureView(error instanceof HttpError ? error.status : statusOf(code), message, traceId, area)
}
