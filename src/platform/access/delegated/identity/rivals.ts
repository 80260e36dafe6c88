import { normalAddress } from '../../../../auth/email-address.ts'
import { coversAddress } from '../../../../auth/email-domains.ts'
import { reasonNotToMatch } from '../../../../auth/method-configuration.ts'
import type { Sql } from '../../../../db/sql.ts'
import { fetchMethods } from '../../../../store/access/authentication-methods.ts'
import { fetchIdentitiesOf } from '../../../../store/access/external-identities.ts'
import type { Principal } from '../../../../store/access/principals.ts'
import { toAccount } from '../../accounts/accounts.ts'
import { toMethod, type DelegatedMethod } from '../../methods/method.ts'
import { NO_RIVALS, type Rivals } from './identity-decision.ts'

/**
 * Looks up the claims of other methods and providers on a user of the model. Methods of any status count, so that
 * nobody gains anything when one is deactivated. For a method with `emailDomains`, only that list decides.
 */
export async function fetchRivals(
  sql: Sql,
  domainId: number,
  { uuid, configuration: { issuer, emailDomains } }: DelegatedMethod,
  user: Principal | null,
): Promise<Rivals> {
  const address = user === null ? null : normalAddress(toAccount(user).login)
  if (user === null || address === null) return NO_RIVALS
  const others = (await fetchMethods(sql, domainId))
    .map(toMethod)
    .filter((method): method is DelegatedMethod => method.kind === 'openid-delegated' && method.uuid !== uuid)
  const isKept = others.some(
    ({ configuration }) => configuration.issuer === issuer && mayVouchFor(configuration, address),
  )
  if (emailDomains.length > 0) return { ...NO_RIVALS, isKept }
  const covering = others.find(({ configuration }) => coversAddress(configuration, address)) ?? null
  const identities = await fetchIdentitiesOf(sql, domainId, [user.uuid])
  const bound = identities.find((identity) => identity.issuer !== issuer)
  return { covering, boundIssuer: bound?.issuer ?? null, isKept }
}

function mayVouchFor(configuration: DelegatedMethod['configuration'], address: string): boolean {
  if (configuration.emailDomains.length > 0) return coversAddress(configuration, address)
  return reasonNotToMatch(configuration) === null
}
