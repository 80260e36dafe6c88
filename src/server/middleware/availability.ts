import type { MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../lib/errors.ts'
import type { AppEnv } from '../app-env.ts'
import type { Lifecycle } from '../process/lifecycle.ts'

/** Until the database is open there is nothing to ask; while the server ends, what has arrived is still answered. */
export function available(lifecycle: Lifecycle): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    if (lifecycle.state === 'starting')
      throw new HoldfastError('UNAVAILABLE', 'the platform is starting; try again in a moment')
    await next()
    // A kept connection would hold up the end for as long as it may be idle.
    if (lifecycle.state === 'draining') context.res.headers.set('connection', 'close')
  }
}
