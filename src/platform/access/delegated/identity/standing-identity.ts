import { ruleDigest } from '../../../../auth/token-rules.ts'
import type { Sql } from '../../../../db/sql.ts'
import { beginningOfSubjects } from '../../../../records/types/grant.ts'
import { fetchMethod } from '../../../../store/access/authentication-methods.ts'
import { readDomain } from '../../../../store/domains.ts'
import {
  fetchIdentitiesOf,
  holdIdentitiesOf,
  type KnownIdentity,
} from '../../../../store/access/external-identities.ts'
import type { AccessContext } from '../../access-context.ts'
import { toMethod, type AuthenticationMethod } from '../../methods/method.ts'
import { identityStamp } from '../../sessions/security-stamp.ts'

/** The identity or password of a sign-in, as its session or code recorded it: see security-stamp.ts. */
export interface SignedInBy {
  readonly methodUuid: string | null
  readonly stamp: string | null
  readonly accountUuid: string | null
  /** The rule that let the account in, or `ANY_RULE`. Null comes from an earlier release, and fits no sign-in. */
  readonly rule: string | typeof ANY_RULE | null
}

/** For the exchange of a token, which proves by its own claims which rule it fits. */
export const ANY_RULE = Symbol('any rule')

/**
 * Tells whether a sign-in is still valid. The identity of its security stamp must still be bound to the account, the
 * method must still have the configuration of the stamp, and the rule must be the rule of the identity's last sign-in.
 */
export async function hasIdentityOf(
  { database, domain }: AccessContext,
  method: AuthenticationMethod,
  accountUuid: string,
  { stamp, rule }: { readonly stamp: string; readonly rule: string | null },
): Promise<boolean> {
  const identities = await readDomain(database, domain.id, (sql) => fetchIdentitiesOf(sql, domain.id, [accountUuid]))
  return identities.some(
    (identity) => identityStamp(method, identity.uuid) === stamp && ruleOf(identity, method) === rule,
  )
}

/** The rule of the identity's last sign-in in a browser. Identities of an earlier release have no rule. */
function ruleOf({ rules }: Pick<KnownIdentity, 'rules'>, { uuid }: Pick<AuthenticationMethod, 'uuid'>): unknown {
  return rules[uuid] ?? ruleDigest(null)
}

/**
 * Locks the identity behind an artifact until this transaction ends. Returns the grants of its method that it fits;
 * null if the identity no longer exists. All methods of an issuer share an identity, which records the grants that it
 * fits by each. Every write of a session, code or token calls this first, so that none of them outlives its identity.
 * If no identity of another provider is involved, nothing is looked up.
 */
export async function holdIdentity(
  sql: Sql,
  domainId: number,
  { methodUuid, stamp, accountUuid, rule }: SignedInBy,
): Promise<readonly string[] | null> {
  if (methodUuid === null || stamp === null || accountUuid === null) return []
  const stored = await fetchMethod(sql, domainId, methodUuid)
  if (stored?.kind !== 'openid-delegated') return []
  const method = toMethod(stored)
  const held = await holdIdentitiesOf(sql, domainId, accountUuid)
  const identity = held.find(({ uuid }) => identityStamp(method, uuid) === stamp)
  if (identity === undefined || (rule !== ANY_RULE && ruleOf(identity, method) !== rule)) return null
  return fitsBy(method, identity.fits)
}

function fitsBy(method: AuthenticationMethod, fits: readonly string[]): readonly string[] {
  if (method.kind === 'internal') return []
  const beginning = beginningOfSubjects(method.configuration)
  return fits.filter((subject) => subject.startsWith(beginning))
}
