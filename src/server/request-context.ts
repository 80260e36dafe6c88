import type { AccessContext } from '../platform/access/access-context.ts'
import { AnswerBudget } from '../platform/answer-budget.ts'
import type { Sql } from '../db/sql.ts'
import { readerOf } from '../plan/withhold.ts'
import { stillMay } from '../platform/access/grants/still-may.ts'
import { mayChangeAccess, type Actor } from '../platform/access/grants/actor.ts'
import type { ChangeSignals } from '../platform/change-signals.ts'
import type { DomainContext } from '../platform/domain-context.ts'
import type { Domain } from '../store/domains.ts'
import { boundTo } from '../store/model/units.ts'

/** The parts of the platform that are needed for signing in to any of its domains. */
export type AccessParts = Omit<AccessContext, 'domain' | 'budget'>

/** The context of one request. */
export function accessContext(
  { database, secrets, key, external, grants, now, newId }: AccessParts,
  domain: Domain,
): AccessContext {
  return { database, domain, secrets, key, external, grants, now, newId, budget: new AnswerBudget() }
}

/** Returns the context of an operation on a domain, for an actor and its token, at the time `at`. */
export function domainContext(
  parts: AccessParts & Pick<DomainContext, 'noteApply'> & { readonly changes: ChangeSignals },
  domain: Domain,
  actor: Actor,
  tokenHash: Uint8Array,
  // A token that was valid when the request arrived may expire during the work.
  at = parts.now(),
): DomainContext {
  const { changes, noteApply } = parts
  return {
    ...accessContext(parts, domain),
    actorName: actor.name,
    changes,
    mayChangeAccess: mayChangeAccess(actor),
    readsData: readerOf(actor).readsData,
    stillMay: (sql: Sql) => stillMay(sql, domain.id, actor, { tokenHash, now: at }),
    ...(actor.methodUuid !== null && { tokenHash }),
    ...(actor.account && { accountUuid: actor.account.uuid }),
    ...(noteApply && { noteApply }),
  }
}

/** Returns the same context for an actor. It sees only the organizations in which the actor's right counts. */
export function contextOf<Context extends AccessContext>(context: Context, { units }: Pick<Actor, 'units'>): Context {
  return units === null ? context : { ...context, database: boundTo(context.database, units) }
}
