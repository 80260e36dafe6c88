import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { LoginPorts } from './login-ports.ts'
import { notOpen, openInteraction } from './open-interaction.ts'

/**
 * Lets an interaction continue only in the browser that began it. oidc-provider checks a cookie of its own, but that
 * one belongs to one path, so a neighbouring host of the same site could set it and make a victim continue as someone
 * else.
 */
export function sameBrowser(ports: LoginPorts): MiddlewareHandler<AppEnv> {
  return async (request, next) => {
    if ((await openInteraction(ports, request, request.req.param('interaction'))) === null)
      return notOpen(new URLSearchParams())
    return next()
  }
}
