import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { Answer } from '../requests/answer.ts'
import { SECURITY_HEADERS, UNLESS_SAID } from '../requests/security-headers.ts'
import { traceIdOf } from '../requests/trace.ts'

/** Gives the request its trace-id, and adds the headers that every answer has. */
export const everyHeader: MiddlewareHandler<AppEnv> = async (context, next) => {
  const traceId = traceIdOf(context.req.header('traceparent'))
  context.set('traceId', traceId)
  const { outgoing } = context.env
  if (outgoing instanceof Answer) outgoing.complete = completion(traceId)
  await next()
  if (!(outgoing instanceof Answer)) complete(context.res.headers, traceId)
}

/** Returns a function that completes the headers of an answer. */
export function completion(traceId: string): Answer['complete'] {
  return (own) => ({ ...UNLESS_SAID, ...own, ...SECURITY_HEADERS, 'x-trace-id': traceId })
}

/** Completes the headers for a platform inside another program, which writes to no socket. */
function complete(headers: Headers, traceId: string): void {
  for (const [name, value] of Object.entries(UNLESS_SAID)) if (!headers.has(name)) headers.set(name, value)
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value)
  headers.set('x-trace-id', traceId)
}
