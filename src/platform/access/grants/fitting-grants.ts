import { fitsClaims, type Claims, type WantedClaims } from '../../../auth/federation-rules.ts'
import type { Sql } from '../../../db/sql.ts'
import { beginningOfSubjects, subjectOf } from '../../../records/types/grant.ts'
import { fetchIdentityGrants } from '../../../store/access/grants.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import { saveFits } from '../../../store/access/external-identities.ts'
import type { AccessContext } from '../access-context.ts'
import type { DelegatedMethod } from '../methods/method.ts'

// Grants to identities name claims of another provider. A token of that provider records the grants that it fits
// (`fits` in its artifact's payload), and so does a token of ours that it is exchanged for. For people in a browser,
// their identity records those of the last sign-in by each method. The claims themselves are not stored. A new grant
// counts from the next sign-in, and a revoked grant counts on no request any more.

/** The subjects of all grants to identities of a method that the claims fit. */
export async function claimGrantsOf(
  sql: Sql,
  domainId: number,
  { configuration: { issuer, clientId } }: DelegatedMethod,
  claims: Claims,
): Promise<readonly string[]> {
  const grants = await fetchIdentityGrants(sql, domainId, issuer, clientId)
  const fitting = grants.filter(({ identities }) => identities && fitsClaims(identities.claims as WantedClaims, claims))
  return [...new Set(fitting.map(subjectOf))]
}

/** Reads the fitting grants for a token exchange. */
export function readFits(
  { database, domain }: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
): Promise<readonly string[]> {
  return readDomain(database, domain.id, (sql) => claimGrantsOf(sql, domain.id, method, claims))
}

/** Stores the fitting grants at each sign-in in a browser. */
export async function keepFits(
  { database, domain }: AccessContext,
  method: DelegatedMethod,
  identity: string,
  claims: Claims,
): Promise<void> {
  const beginning = beginningOfSubjects(method.configuration)
  await writeAccess(database, domain.id, async (sql) => {
    const fits = await claimGrantsOf(sql, domain.id, method, claims)
    await saveFits(sql, domain.id, identity, { fits, beginning })
  })
}
