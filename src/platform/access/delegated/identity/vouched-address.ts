import { normalAddress } from '../../../../auth/email-address.ts'
import { coversAddress } from '../../../../auth/email-domains.ts'
import { readDomain } from '../../../../store/domains.ts'
import { findPrincipal } from '../../../../store/access/principals.ts'
import { fetchMethodsTelling } from '../../../../store/access/external-identities.ts'
import type { AccessContext } from '../../access-context.ts'
import { ACCOUNT_TYPES } from '../../accounts/accounts.ts'
import { toMethod } from '../../methods/method.ts'

/**
 * Tells whether applications may trust the e-mail address of an account: it is in the data model, or a provider that
 * is trusted for such addresses has verified it. Other providers may claim any address.
 */
export function vouchesFor(
  { database, domain }: AccessContext,
  { uuid, email }: { readonly uuid: string; readonly email: string },
): Promise<boolean> {
  return readDomain(database, domain.id, async (sql) => {
    const principal = await findPrincipal(sql, domain.id, ACCOUNT_TYPES, uuid)
    if (principal?.isOfModel === true) return true
    const address = normalAddress(email)
    if (principal === null || address === null) return false
    const methods = (await fetchMethodsTelling(sql, domain.id, uuid, address)).map(toMethod)
    return methods.some((method) => method.kind === 'openid-delegated' && coversAddress(method.configuration, address))
  })
}
