import type { Middleware } from 'koa'
import { failureOf, noteFailure, type Failure } from './failures.ts'
import { renderFailure } from '../pages.ts'

const RETRY_AFTER_SECONDS = '5'

/** Answers failures outside of the library's own handlers too, such as a session that cannot be saved. */
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
