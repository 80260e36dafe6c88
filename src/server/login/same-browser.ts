import type { MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import type { AppEnv } from '../app-env.ts'
import { bindingCookieName, isBound } from './binding.ts'
import type { LoginPorts } from './login-ports.ts'
import { isSecure, notOpen } from './open-interaction.ts'
import { withCookie } from './set-cookie.ts'

/**
 * Lets an interaction continue only in the browser that began it. oidc-provider checks a cookie of its own, but that
 * one belongs to one path, so a neighbouring host of the same site could set it and make a victim continue as someone
 * else.
 */
export function sameBrowser(ports: LoginPorts): MiddlewareHandler<AppEnv> {
  return async (request, next) => {
    const id = request.req.param('interaction') ?? ''
    const secure = isSecure(await ports.provider(request))
    const name = bindingCookieName(id, secure)
    if (!isBound(ports.access(request), id, getCookie(request, name))) return notOpen(new URLSearchParams())
    await next()
    // The interaction is over when the browser is redirected.
    if (request.res.headers.has('location')) withCookie(request.res, { name, value: '', seconds: 0, secure })
    return undefined
  }
}
