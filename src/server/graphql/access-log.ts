import type { Resolvers } from '../../graphql/resolvers.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { Domain } from '../../store/domains.ts'
import type { Logger } from '../process/logger.ts'

export interface AccessChange {
  readonly traceId: string
  readonly domain: Domain
  readonly actor: Actor
}

/** The same resolvers, which leave a line in the log when somebody has changed who may sign in, or ended it for others. */
export function withAccessLog(resolvers: Resolvers, logger: Logger, change: AccessChange): Resolvers {
  const { traceId, domain, actor } = change
  const noted = async <T>(what: string, work: Promise<T>, target: (done: T) => object = () => ({})): Promise<T> => {
    const done = await work
    const by = { actor: actor.name, actorAccount: actor.account?.uuid ?? null }
    logger.info({ traceId, domain: domain.slug, ...by, what, ...target(done) }, 'access change')
    return done
  }
  /** Whoever does it to themselves, `account` null, is no administrator at work. */
  const forOthers = async <T>(account: string | null, what: string, work: Promise<T>, target = {}): Promise<T> =>
    account === null ? work : noted(what, work, () => ({ account, ...target }))
  return {
    ...resolvers,
    createDelegatedMethod: (method) => noted('method created', resolvers.createDelegatedMethod(method), uuidOf),
    updateMethod: (patch) => noted('method changed', resolvers.updateMethod(patch), uuidOf),
    deleteMethod: (uuid) => noted('method deleted', resolvers.deleteMethod(uuid), uuidOf),
    updateDelegatedUser: (uuid, status) =>
      noted('delegated user changed', resolvers.updateDelegatedUser(uuid, status), uuidOf),
    unbindIdentity: (uuid) => noted('identity unbound', resolvers.unbindIdentity(uuid), uuidOf),
    createPasswordLink: (email) => noted('password link created', resolvers.createPasswordLink(email)),
    endSession: (account, uuid) =>
      forOthers(account, 'session ended', resolvers.endSession(account, uuid), { target: uuid }),
    endSessions: (account, exceptCurrent) =>
      forOthers(account, 'sessions ended', resolvers.endSessions(account, exceptCurrent)),
    revokeConsent: (account, application) =>
      forOthers(account, 'consent revoked', resolvers.revokeConsent(account, application), { target: application }),
  }
}

function uuidOf({ uuid }: { readonly uuid: string }) {
  return { target: uuid }
}
