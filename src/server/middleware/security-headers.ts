import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'

/** The headers of every answer, including those that are made outside of the app: see `unreadable-request.ts`. */
export const SECURITY_HEADERS = {
  // The value is fixed by the specification (section 8).
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

const NOTHING_LOADS = `default-src 'none'; frame-ancestors 'none'`

/** Answers are not cached and load nothing, unless a route says otherwise. */
export const securityHeaders: MiddlewareHandler<AppEnv> = async (context, next) => {
  await next()
  // The headers are set in place, because `context.header` would make another response, and a stream of its body.
  const { headers } = context.res
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value)
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', NOTHING_LOADS)
}
