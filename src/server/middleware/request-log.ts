import type { Logger } from '../process/logger.ts'
import type { Observer } from './observed.ts'

/** The id in this path is as secret as that of a session, because a browser continues a sign-in with it. */
const INTERACTION = /^(\/authenticate\/)[\w-]{20,64}$/

/**
 * Logs one line for each answer. It has the path without its query, and no header, because those may contain secrets.
 */
export function requestLog(logger: Logger): Observer {
  return ({ method, path, status, traceId, domain, actor, milliseconds }) => {
    logger.info(
      {
        traceId,
        method,
        path: path.replace(INTERACTION, '$1:interaction'),
        status,
        milliseconds: Math.round(milliseconds),
        domain: domain?.slug ?? null,
        actor: actor?.name ?? null,
      },
      'request',
    )
  }
}
