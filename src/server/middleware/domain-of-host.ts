import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from '../requests/error-response.ts'
import { hostName } from '../requests/host-name.ts'
import type { Platform } from '../process/platform.ts'

/**
 * The Host header decides which domain a request belongs to. Forwarding headers do not, because anyone can send them.
 */
export function domainOfHost(platform: () => Platform): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const name = hostName(context.req.header('host') ?? new URL(context.req.url).host)
    const domain = name === null ? null : await platform().findDomain(name)
    if (domain === null) {
      throw new HttpError(
        'NOT_FOUND',
        421,
        'Misdirected request',
        'no domain of this platform has the host name of this request; check the address',
      )
    }
    context.set('domain', domain)
    await next()
  }
}
