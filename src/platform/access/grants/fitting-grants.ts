import { fitsClaims, namesPersons, type Claims, type WantedClaims } from '../../../auth/token-rules.ts'
import type { Sql } from '../../../db/sql.ts'
import { subjectOf } from '../../../records/types/grant.ts'
import { fetchIdentityGrants } from '../../../store/access/grants.ts'
import type { DelegatedMethod } from '../methods/method.ts'

// Grants to identities name claims of another provider. A token of that provider records the grants that it fits
// (`fits` in its artifact's payload), and so does a token of this platform that it is exchanged for. The identity of a
// person in a browser records the grants of the last sign-in by each method. The claims themselves are not stored. A
// new grant applies from the next sign-in, and a revoked grant applies to no further request.

/** The subjects of a method's grants to identities that the claims fit: of all grants, or of those naming persons. */
export async function claimGrantsOf(
  sql: Sql,
  domainId: number,
  { configuration: { issuer, clientId } }: DelegatedMethod,
  claims: Claims,
  { byNameOnly }: { readonly byNameOnly: boolean },
): Promise<readonly string[]> {
  const grants = await fetchIdentityGrants(sql, domainId, issuer, clientId)
  const fitting = grants.filter(({ identities }) => {
    const wanted = identities?.claims as WantedClaims | undefined
    return wanted !== undefined && fitsClaims(wanted, claims) && (!byNameOnly || namesPersons(wanted))
  })
  return [...new Set(fitting.map(subjectOf))]
}
