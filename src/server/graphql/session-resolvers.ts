import type { SessionResolvers } from '../../graphql/session-resolvers.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import { listConsents, revokeConsent } from '../../platform/access/accounts/consents.ts'
import { endAllSessions, endSession, listSessions } from '../../platform/access/sessions/sessions.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { checkText, checkUuid } from './arguments.ts'

/** `tokenHash`: of the token that the request brings. */
export function sessionResolversFor(context: DomainContext, actor: Actor, tokenHash: Uint8Array): SessionResolvers {
  const own = actor.account?.uuid ?? null
  const listed = (account: string | null) => (account === null ? own : checkUuid(account, 'account'))
  const required = (account: string | null) => {
    const uuid = listed(account)
    if (uuid === null) throw new HoldfastError('NOT_FOUND', 'nobody is signed in here: the platform itself asks')
    return uuid
  }
  const ofAccount = async <T>(account: string | null, list: (uuid: string) => Promise<T[]>): Promise<T[]> => {
    const uuid = listed(account)
    return uuid === null ? [] : list(uuid)
  }
  return {
    listSessions: (account) => ofAccount(account, (uuid) => listSessions(context, uuid, tokenHash)),
    listConsents: (account) => ofAccount(account, (uuid) => listConsents(context, uuid)),
    endSession: async (account, uuid) => endSession(context, required(account), checkUuid(uuid, 'uuid'), tokenHash),
    endSessions: async (account, exceptCurrent) =>
      endAllSessions(context, required(account), tokenHash, { exceptCurrent }),
    revokeConsent: async (account, application) =>
      revokeConsent(context, required(account), checkText(application, 'application')),
  }
}
