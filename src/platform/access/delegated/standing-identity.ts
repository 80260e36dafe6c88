import type { Sql } from '../../../db/sql.ts'
import { beginningOfSubjects } from '../../../records/types/grant.ts'
import { fetchMethod } from '../../../store/access/authentication-methods.ts'
import { readDomain } from '../../../store/domains.ts'
import { fetchIdentitiesOf, holdIdentitiesOf } from '../../../store/access/external-identities.ts'
import type { AccessContext } from '../access-context.ts'
import { toMethod, type AuthenticationMethod } from '../methods/method.ts'
import { identityMark } from '../sessions/sign-in-mark.ts'

/** What somebody signed in by, as their session or code says: see sign-in-mark.ts. */
export interface SignedInBy {
  readonly methodUuid: string | null
  readonly mark: string | null
  readonly accountUuid: string | null
}

/** Whether an account has the identity still that a mark is of, and the method its terms. */
export async function hasIdentityOf(
  { database, domain }: AccessContext,
  method: AuthenticationMethod,
  accountUuid: string,
  mark: string,
): Promise<boolean> {
  const identities = await readDomain(database, domain.id, (sql) => fetchIdentitiesOf(sql, domain.id, [accountUuid]))
  return identities.some(({ uuid }) => identityMark(method, uuid) === mark)
}

/**
 * Keeps the identity that something comes from until this transaction ends, and gives the grants of its method that it
 * fits; null where it is gone. An identity is one for all methods of its issuer, and keeps what it fits by each. Whoever writes a session, code or token asks first, so that none outlives its identity. Where no other
 * provider's identity stands behind, nothing is looked at.
 */
export async function holdIdentity(
  sql: Sql,
  domainId: number,
  { methodUuid, mark, accountUuid }: SignedInBy,
): Promise<readonly string[] | null> {
  if (methodUuid === null || mark === null || accountUuid === null) return []
  const stored = await fetchMethod(sql, domainId, methodUuid)
  if (stored?.kind !== 'openid-delegated') return []
  const method = toMethod(stored)
  const held = await holdIdentitiesOf(sql, domainId, accountUuid)
  const identity = held.find(({ uuid }) => identityMark(method, uuid) === mark)
  return identity === undefined ? null : fitsBy(method, identity.fits)
}

function fitsBy(method: AuthenticationMethod, fits: readonly string[]): readonly string[] {
  if (method.kind === 'internal') return []
  const beginning = beginningOfSubjects(method.configuration)
  return fits.filter((subject) => subject.startsWith(beginning))
}
