import type { Logger } from '../process/logger.ts'
import type { Observer } from './observed.ts'

/** The id in this path is as secret as that of a session, because a browser continues a sign-in with it. */
const INTERACTION = /^(\/authenticate\/)[\w-]{20,64}$/

/** Supervisors of the process ask here every few seconds. */
const PROBES = ['/healthz', '/readyz']

/**
 * Logs one line for each answer, except where all is well with the process. It has the path without its query, and no
 * header, because those may contain secrets.
 */
export function requestLog(logger: Logger): Observer {
  return ({ method, path, route, status, traceId, address, domain, actor, milliseconds }) => {
    if (PROBES.includes(route) && status < 400) return
    logger.info(
      {
        traceId,
        address: address === '' ? null : address,
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
