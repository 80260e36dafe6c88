import type { MiddlewareHandler } from 'hono'
import type { AppEnv } from '../app-env.ts'
import type { Logger } from '../process/logger.ts'

/** By this id a browser goes on with a sign-in: its own, as a session's is. */
const INTERACTION = /^(\/authenticate\/)[\w-]{20,64}$/

/** One line for each answer. The path without its query, and no header: those can hold secrets. */
export function requestLog(logger: Logger, now: () => number): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const begin = now()
    await next()
    const { method, path } = context.req
    logger.info(
      {
        traceId: context.get('traceId'),
        method,
        path: path.replace(INTERACTION, '$1:interaction'),
        status: context.res.status,
        milliseconds: Math.round(now() - begin),
        domain: context.get('domain')?.slug ?? null,
        actor: context.get('actor')?.name ?? null,
      },
      'request',
    )
  }
}
