import type { Logger } from '../process/logger.ts'
import type { Observer } from './observed.ts'

/** The id in this path is as secret as that of a session, because a browser continues a sign-in with it. */
const INTERACTION = /^(\/authenticate\/)[\w-]{20,64}$/

/**
 * Logs one line for each answer. It has the path without its query, and no header, because those may contain secrets.
 */
export function requestLog(logger: Logger): Observer {
  return (context, milliseconds) => {
    const { method, path } = context.req
    logger.info(
      {
        traceId: context.get('traceId'),
        method,
        path: path.replace(INTERACTION, '$1:interaction'),
        status: context.res.status,
        milliseconds: Math.round(milliseconds),
        domain: context.get('domain')?.slug ?? null,
        actor: context.get('actor')?.name ?? null,
      },
      'request',
    )
  }
}
