import type { Actor } from '../../../platform/access/grants/actor.ts'
import type { Domain } from '../../../store/domains.ts'
import type { Logger } from '../../process/logger.ts'

export type NoteAccessChange = (what: string, fields?: { readonly account?: string; readonly target?: string }) => void

export interface Administration {
  readonly traceId: string
  readonly domain: Domain
  readonly actor: Actor
}

/** Leaves a line in the log when an administrator has changed who may sign in, or has ended it for others. */
export function accessLog(logger: Logger, { traceId, domain, actor }: Administration): NoteAccessChange {
  const by = { actor: actor.name, actorAccount: actor.account?.uuid ?? null }
  return (what, fields) => logger.info({ traceId, domain: domain.slug, ...by, what, ...fields }, 'access change')
}
