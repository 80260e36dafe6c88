import type { Context, MiddlewareHandler } from 'hono'
import { domainSettings } from '../../platform/access/methods/domain-settings.ts'
import { recentlyUsed } from '../../lib/recently-used.ts'
import type { AppEnv } from '../app-env.ts'
import { accessContext } from '../request-context.ts'
import type { Platform } from '../platform.ts'

/** The headers of answers that pages may read, besides those that browsers always show. */
export const EXPOSED_HEADERS = [
  'accept-encoding',
  'accept-post',
  'allow',
  'content-disposition',
  'deprecation',
  'etag',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'sunset',
  'www-authenticate',
  'x-overwritten-points',
  'x-plan-digest',
  'x-service-change',
  'x-trace-id',
]

/** The seconds for which browsers may remember the answer to a preflight request. */
const PREFLIGHT_SECONDS = '600'

/** The time for which a process trusts its copy of a domain's origins, in milliseconds. */
const FRESH_MS = 1_000
const MOST_DOMAINS = 10_000

/**
 * Lets pages of the domain's allowed origins call the API (CORS). Cookies are never allowed, because the API takes
 * tokens only. A page of another origin gets the same answer without the headers, so its browser does not show it.
 */
export function crossOrigin(platform: () => Platform, now: () => number): MiddlewareHandler<AppEnv> {
  const known = recentlyUsed<{ readonly origins: Promise<readonly string[]>; readonly until: number }>(MOST_DOMAINS)
  const originsOf = (context: Context<AppEnv>): Promise<readonly string[]> => {
    const domain = context.get('domain')
    const id = String(domain.id)
    const remembered = known.get(id)
    if (remembered !== undefined && now() < remembered.until) return remembered.origins
    const origins = domainSettings(accessContext(platform(), domain)).then(({ allowedOrigins }) => allowedOrigins)
    known.set(id, { origins, until: now() + FRESH_MS })
    origins.catch(() => {
      if (known.get(id)?.origins === origins) known.delete(id)
    })
    return origins
  }
  return async (context, next) => {
    const origin = context.req.header('origin')
    // No cache answers POST, so these answers need no Vary.
    if (origin === undefined && context.req.method === 'POST') return next()
    const isAllowed = origin !== undefined && (await originsOf(context)).includes(origin)
    const asked = context.req.header('access-control-request-method')
    if (isAllowed && context.req.method === 'OPTIONS' && asked !== undefined) return preflightAnswer(context, origin)
    await next()
    const { headers } = context.res
    headers.append('vary', 'origin')
    if (!isAllowed) return
    headers.set('access-control-allow-origin', origin)
    headers.set('access-control-expose-headers', EXPOSED_HEADERS.join(', '))
  }
}

/** Pages may send any header, because the API trusts none that a browser would add by itself. */
function preflightAnswer({ req }: Context<AppEnv>, origin: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': req.header('access-control-request-headers') ?? 'authorization, content-type',
      'access-control-max-age': PREFLIGHT_SECONDS,
      vary: 'origin, access-control-request-headers',
    },
  })
}
