import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { LoginPorts } from './login-ports.ts'
import { notOpen, openInteraction } from './open-interaction.ts'

/**
 * Lets only the browser that began an interaction continue it. oidc-provider checks its own cookie, but that one
 * belongs to a path, so another host of the same site could set it. A victim could then be made to continue as someone
 * else.
 */
export function sameBrowser(ports: LoginPorts): MiddlewareHandler<AppEnv> {
  return async (request, next) => {
    if ((await openInteraction(ports, request, request.req.param('interaction'))) === null)
      return notOpen(new URLSearchParams())
    return next()
  }
}
