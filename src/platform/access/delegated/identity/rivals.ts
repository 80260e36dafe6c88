import { normalAddress } from '../../../../auth/email-address.ts'
import { coversAddress } from '../../../../auth/email-domains.ts'
import type { Sql } from '../../../../db/sql.ts'
import { fetchMethods } from '../../../../store/access/authentication-methods.ts'
import { fetchIdentitiesOf } from '../../../../store/access/external-identities.ts'
import type { Principal } from '../../../../store/access/principals.ts'
import { toAccount } from '../../accounts/accounts.ts'
import { toMethod, type DelegatedMethod } from '../../methods/method.ts'
import { NO_RIVALS, type Rivals } from './identity-decision.ts'

/**
 * Looks up what other providers are to a user of the model. Methods count in any status, so that nobody gains anything
 * when one is deactivated. Nothing is looked up for a method with `emailDomains`, which decides by that alone.
 */
export async function fetchRivals(
  sql: Sql,
  domainId: number,
  { uuid, configuration: { issuer, emailDomains } }: DelegatedMethod,
  user: Principal | null,
): Promise<Rivals> {
  const address = user === null ? null : normalAddress(toAccount(user).login)
  if (user === null || address === null || emailDomains.length > 0) return NO_RIVALS
  const methods = (await fetchMethods(sql, domainId)).map(toMethod)
  const covering = methods.find(
    (method): method is DelegatedMethod =>
      method.kind === 'openid-delegated' && method.uuid !== uuid && coversAddress(method.configuration, address),
  )
  const identities = await fetchIdentitiesOf(sql, domainId, [user.uuid])
  const bound = identities.find((identity) => identity.issuer !== issuer)
  return { covering: covering ?? null, boundIssuer: bound?.issuer ?? null }
}
