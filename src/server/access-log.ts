import type { Actor } from '../platform/access/grants/actor.ts'
import type { Domain } from '../store/domains.ts'
import type { Logger } from './logger.ts'

export type NoteAccessChange = (what: string, fields?: AccessChange) => void

/** A change for the log. It contains only uuids and numbers, because names may be e-mail addresses. */
export interface AccessChange {
  readonly account?: string
  readonly target?: string
  /** The number of grants that an apply has changed. */
  readonly grants?: number
}

export interface Administration {
  readonly traceId: string
  readonly domain: Domain
  readonly actor: Actor
}

/** Logs that the platform has created a signing key by itself: the first one, or one to replace an old key. */
export function madeKeyLog(logger: Logger, domain: Domain): (kid: string) => void {
  return (target) =>
    logger.info(
      { domain: domain.slug, actor: null, actorAccount: null, what: 'signing key made', target },
      'access change',
    )
}

/** Logs each change of accounts and their rights, and each session or token that one person ends for another. */
export function accessLog(logger: Logger, { traceId, domain, actor }: Administration): NoteAccessChange {
  const by = { actor: actor.name, actorAccount: actor.account?.uuid ?? null }
  return (what, fields) => logger.info({ traceId, domain: domain.slug, ...by, what, ...fields }, 'access change')
}
