import type { Right } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import { isTokenInUse } from '../../../store/access/artifacts.ts'
import { fetchRightsVersion } from '../../../store/domains.ts'
import { fetchKeysByUuid } from '../../../store/model/records.ts'
import type { Actor } from './actor.ts'
import { authorityOf, rightsNow } from './authority.ts'

type Rights = Pick<Actor, 'rights' | 'rightsWithin'>

/** The token of a request. */
export interface TokenInUse {
  readonly tokenHash: Uint8Array
  /** The time when the request arrived. The token must not have expired by then. */
  readonly now: Date
}

/**
 * Tells whether, in this transaction, an actor still has all rights that it had when its token was looked up. The token
 * must still exist; it ends with its session. The account, application, authentication method and grants behind it are
 * looked up again only if rights of the domain have changed.
 */
export async function stillMay(sql: Sql, domainId: number, actor: Actor, token: TokenInUse): Promise<boolean> {
  const authority = authorityOf(actor)
  if (authority === null) return true
  const [version, stands] = await Promise.all([
    fetchRightsVersion(sql, domainId),
    isTokenInUse(sql, domainId, token.tokenHash, token.now),
  ])
  if (!stands || version === actor.rightsVersion) return stands
  const now = await rightsNow(sql, domainId, authority)
  return covers(now, actor) && (await areDeleted(sql, domainId, lostUnits(now, actor)))
}

/** Tells whether each right still applies somewhere. A right in the whole domain also covers it within units. */
function covers(now: Rights, before: Rights): boolean {
  const isLeft = (right: Right) => now.rights.has(right) || now.rightsWithin.has(right)
  return before.rights.isSubsetOf(now.rights) && [...before.rightsWithin.keys()].every(isLeft)
}

/** The units within which a right no longer applies. */
function lostUnits(now: Rights, before: Rights): readonly string[] {
  const within = [...before.rightsWithin].filter(([right]) => !now.rights.has(right))
  const lost = within.flatMap(([right, units]) => [...new Set(units).difference(new Set(now.rightsWithin.get(right)))])
  return [...new Set(lost)]
}

/**
 * Tells whether none of these units exists any more. Then nobody has lost a right that could be used, because an
 * operation within a deleted unit finds no unit. A unit that was moved to another organization still exists.
 */
async function areDeleted(sql: Sql, domainId: number, units: readonly string[]): Promise<boolean> {
  return units.length === 0 || (await fetchKeysByUuid(sql, domainId, units)).size === 0
}
