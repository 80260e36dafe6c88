import { randomBytes } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'

/**
 * The form version-traceid-parentid-flags. Versions after 00 may continue after the flags (W3C Trace Context, section
 * 3.2).
 */
const TRACE_PARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** The trace-id of a request: the client's own, so that its trace continues here, or a new one. */
export function traceIdOf(traceParent: string | undefined): string {
  const [, version, traceId, more] = TRACE_PARENT.exec(traceParent ?? '') ?? []
  const isValid = traceId !== undefined && (version !== '00' || more === undefined)
  return isValid ? traceId : randomBytes(16).toString('hex')
}

export const trace: MiddlewareHandler<AppEnv> = async (context, next) => {
  const traceId = traceIdOf(context.req.header('traceparent'))
  context.set('traceId', traceId)
  await next()
  context.res.headers.set('x-trace-id', traceId)
}
