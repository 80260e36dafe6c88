import type { Context, Middleware } from 'koa'
import { errors, type ErrorOut, type KoaContextWithOIDC } from 'oidc-provider'
import { page, PAGE_HEADERS, type Page } from '../login/page.ts'
import { problemPage } from '../login/pages/problem-page.ts'
import { signedOutPage, signOutPage } from '../login/pages/sign-out-page.ts'
import { type Failure, failureOf, noteFailure } from './answers/failures.ts'
import { stateOf } from './request-state.ts'

// The pages of oidc-provider in the style of the login UI. `html` escapes all values from a request.

export function renderError(context: KoaContextWithOIDC, out: ErrorOut, error: Error): void {
  const { traceId } = stateOf(context)
  const { title, lines } = explain(out, error)
  show(context, problemPage({ title, lines, traceId }))
}

/** The page for failures that the application did not cause. */
function renderFailure(context: Context, { error_description: line }: Failure): void {
  show(context, problemPage({ title: 'That did not work', lines: [line], traceId: stateOf(context).traceId }))
}

export function renderSignOut(context: KoaContextWithOIDC, form: string): void {
  show(context, signOutPage(form, context.oidc.client?.clientName))
}

export function renderSignedOut(context: KoaContextWithOIDC): void {
  show(context, signedOutPage(context.oidc.client?.clientName))
}

function show(context: Pick<Context, 'set' | 'body'>, content: Page): void {
  context.set({ ...PAGE_HEADERS })
  context.body = page(content)
}

function explain(out: ErrorOut, error: Error): { title: string; lines: string[] } {
  if (error instanceof errors.SessionNotFound) {
    const lines = [
      'It took too long, it was finished already, or it was begun in another browser.',
      'Go back to the application and start again.',
    ]
    return { title: 'This sign-in cannot go on', lines }
  }
  const lines = [
    `The application sent a request that cannot be answered: ${out.error_description ?? out.error}.`,
    `The operator of the application can correct this; the code is ${out.error}.`,
  ]
  return { title: 'The application’s request is wrong', lines }
}

const RETRY_AFTER_SECONDS = '5'

/** Also answers failures outside of the library's own handlers, such as a session that cannot be saved. */
export const answerFailures: Middleware = async (context, next) => {
  try {
    await next()
  } catch (error) {
    answer(context, noteFailure(context, error))
    return
  }
  const failure = failureOf(context)
  if (failure !== undefined && context.status >= 400) answer(context, failure)
}

function answer(context: Parameters<Middleware>[0], failure: Failure): void {
  const { status, ...body } = failure
  context.status = status
  if (status === 503) context.set('retry-after', RETRY_AFTER_SECONDS)
  if (context.accepts('json', 'html') === 'html') renderFailure(context, failure)
  else context.body = body
}
