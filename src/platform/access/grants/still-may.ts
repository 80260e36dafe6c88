import type { Right } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import { isTokenInUse } from '../../../store/access/artifacts.ts'
import { fetchRightsVersion } from '../../../store/domains.ts'
import type { Actor } from './actor.ts'
import { authorityOf, rightsNow } from './authority.ts'

type Rights = Pick<Actor, 'rights' | 'rightsWithin'>

/** The token that a request came with. */
export interface TokenInUse {
  readonly tokenHash: Uint8Array
  /** When the request came: the token must not have expired by then. */
  readonly now: Date
}

/**
 * Tells whether an actor may do all that it could when its token was looked up, as it is in this transaction. The token
 * must stand, which ends with its session. What stands behind it (account, application, authentication method, grants) is
 * looked at anew only where rights of the domain were changed.
 */
export async function stillMay(sql: Sql, domainId: number, actor: Actor, token: TokenInUse): Promise<boolean> {
  const authority = authorityOf(actor)
  if (authority === null) return true
  const [version, stands] = await Promise.all([
    fetchRightsVersion(sql, domainId),
    isTokenInUse(sql, domainId, token.tokenHash, token.now),
  ])
  if (!stands || version === actor.rightsVersion) return stands
  return coversAll(await rightsNow(sql, domainId, authority), actor)
}

/** A right in the whole domain covers it within units, too. A unit may have come to another organization. */
function coversAll(now: Rights, before: Rights): boolean {
  const isWithin = (right: Right, units: readonly string[]) =>
    now.rights.has(right) || new Set(units).isSubsetOf(new Set(now.rightsWithin.get(right)))
  return (
    before.rights.isSubsetOf(now.rights) && [...before.rightsWithin].every(([right, units]) => isWithin(right, units))
  )
}
