import type { Context } from 'koa'
import { errors } from 'oidc-provider'

/**
 * The error for too many attempts. OAuth has none for it, and `slow_down` says what to do (RFC 8628, section 3.5).
 */
export function tooMany(context: Pick<Context, 'set'>, seconds: number, what: string): Error {
  context.set('retry-after', String(seconds))
  const description = `too many ${what}; try again in ${seconds} seconds`
  return Object.assign(new errors.SlowDown(description), { status: 429, statusCode: 429 })
}
