import type { Account as OidcAccount } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Account } from '../../platform/access/accounts/account.ts'
import { findAccount } from '../../platform/access/accounts/accounts.ts'
import { vouchesFor } from '../../platform/access/delegated/identity/vouched-address.ts'

/** The claims that each scope gives to an application. */
export const CLAIMS = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'preferred_username'],
}

/** Returns an account if it may still sign in. Each use of a sign-in calls this, so it ends with the account. */
export async function findActiveAccount(context: AccessContext, uuid: string): Promise<OidcAccount | undefined> {
  const account = await findAccount(context, uuid)
  if (account?.status !== 'ACTIVATED') return undefined
  return { accountId: account.uuid, claims: () => claimsOf(context, account) }
}

/** Returns the claims of an account. The library removes those that the scopes do not allow. */
async function claimsOf(context: AccessContext, { uuid, login, name, email }: Account) {
  return {
    sub: uuid,
    preferred_username: login,
    ...(name !== null && { name }),
    ...(email !== null && { email, email_verified: await vouchesFor(context, { uuid, email }) }),
  }
}
