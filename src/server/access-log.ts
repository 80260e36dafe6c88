import type { Actor } from '../platform/access/grants/actor.ts'
import type { Domain } from '../store/domains.ts'
import type { Logger } from './logger.ts'

export type NoteAccessChange = (what: string, fields?: AccessChange) => void

/** A change for the log, by uuids and numbers alone, because names may be addresses of people. */
export interface AccessChange {
  readonly account?: string
  readonly target?: string
  /** How many grants an apply has changed. */
  readonly grants?: number
}

export interface Administration {
  readonly traceId: string
  readonly domain: Domain
  readonly actor: Actor
}

/** Leaves a line in the log when the platform has made a signing key by itself: the first one, or one for its age. */
export function madeKeyLog(logger: Logger, domain: Domain): (kid: string) => void {
  return (target) =>
    logger.info(
      { domain: domain.slug, actor: null, actorAccount: null, what: 'signing key made', target },
      'access change',
    )
}

/** Leaves a line in the log when somebody has changed who may sign in or who may do what, or has ended it for others. */
export function accessLog(logger: Logger, { traceId, domain, actor }: Administration): NoteAccessChange {
  const by = { actor: actor.name, actorAccount: actor.account?.uuid ?? null }
  return (what, fields) => logger.info({ traceId, domain: domain.slug, ...by, what, ...fields }, 'access change')
}
