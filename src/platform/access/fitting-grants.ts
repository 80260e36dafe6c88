import { fitsClaims, type Claims, type WantedClaims } from '../../auth/federation-rules.ts'
import type { Sql } from '../../db/sql.ts'
import { subjectOf } from '../../records/types/grant.ts'
import { fetchIdentityGrants } from '../../store/access-grants.ts'
import { fetchMethod } from '../../store/authentication-methods.ts'
import { writeAccess } from '../../store/domains.ts'
import { saveFits } from '../../store/external-identities.ts'
import type { AccessContext } from './access-context.ts'
import { toMethod } from './method.ts'

// Which grants somebody is meant by, by what another provider claims of them. A token of that provider keeps those that
// it fits (`fits` of its artifact's payload); for people in a browser their identity keeps those of their last sign-in.
// The claims themselves are not kept. A grant that is made later counts from the next sign-in on, and one that is taken
// back counts on no request any more.

/** The subjects of all grants to identities of a method that such claims fit. */
export async function claimGrantsOf(
  sql: Sql,
  domainId: number,
  methodUuid: string,
  claims: Claims,
): Promise<readonly string[]> {
  const stored = await fetchMethod(sql, domainId, methodUuid)
  const method = stored === null ? null : toMethod(stored)
  if (method?.kind !== 'openid-delegated') return []
  const { issuer, clientId } = method.configuration
  const grants = await fetchIdentityGrants(sql, domainId, issuer, clientId)
  const fitting = grants.filter(({ identities }) => identities && fitsClaims(identities.claims as WantedClaims, claims))
  return [...new Set(fitting.map(subjectOf))]
}

/** At each sign-in that leads to a token of ours. */
export async function keepFits(
  { database, domain }: AccessContext,
  methodUuid: string,
  identity: string,
  claims: Claims,
): Promise<void> {
  await writeAccess(database, domain.id, async (sql) => {
    await saveFits(sql, domain.id, identity, await claimGrantsOf(sql, domain.id, methodUuid, claims))
  })
}
