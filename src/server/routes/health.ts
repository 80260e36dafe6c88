import type { Hono } from 'hono'
import { HoldfastError } from '../../lib/errors.ts'
import type { AppEnv } from '../app-env.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { Platform } from '../platform.ts'

const PATIENCE_MS = 5_000

/** Tells monitors whether the process is alive and whether it should get requests. */
export function healthRoutes(app: Hono<AppEnv>, lifecycle: Lifecycle, platform: () => Platform): void {
  app.get('/healthz', (context) => context.json({ status: 'up' }))
  app.get('/readyz', async (context) => {
    if (lifecycle.state !== 'ready')
      throw new HoldfastError('UNAVAILABLE', `the platform is ${lifecycle.state}; try again in a moment`)
    await answersInTime(platform())
    return context.json({ status: 'ready' })
  })
}

async function answersInTime(platform: Platform): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, PATIENCE_MS)
  try {
    await Promise.race([platform.checkDatabase(), late])
  } catch (cause) {
    throw unavailable(platform, cause)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the error. The cause may be the database, or that all connections to it are in use. */
function unavailable({ database }: Platform, cause: unknown): HoldfastError {
  const isBusy = (database.load?.().waiting ?? 0) > 0
  const message = isBusy
    ? 'all connections to the database are in use, and none became free in time; try again in a moment'
    : 'the database does not answer; try again in a moment'
  return new HoldfastError('UNAVAILABLE', message, { cause })
}
