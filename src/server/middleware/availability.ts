import type { MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../lib/errors.ts'
import type { AppEnv } from '../app-env.ts'
import type { Lifecycle } from '../process/lifecycle.ts'

/**
 * Refuses requests until the database is open. While the server ends, requests that have arrived are still answered.
 */
export function available(lifecycle: Lifecycle): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    if (lifecycle.state === 'starting')
      throw new HoldfastError('UNAVAILABLE', 'the platform is starting; try again in a moment')
    await next()
    // A kept-alive connection would delay the end for as long as it may be idle.
    if (lifecycle.state === 'draining') context.res.headers.set('connection', 'close')
  }
}
