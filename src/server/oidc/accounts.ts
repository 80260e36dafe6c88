import type { Account as OidcAccount } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Account } from '../../platform/access/accounts/account.ts'
import { findAccount } from '../../platform/access/accounts/accounts.ts'
import { vouchesFor } from '../../platform/access/delegated/vouched-address.ts'

/** What the scopes tell an application about a person. */
export const CLAIMS = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'preferred_username'],
}

/** Whoever may not sign in any more is nobody: on every way that leads through here, so also for what was given before. */
export async function findActiveAccount(context: AccessContext, uuid: string): Promise<OidcAccount | undefined> {
  const account = await findAccount(context, uuid)
  if (account?.status !== 'ACTIVATED') return undefined
  return { accountId: account.uuid, claims: () => claimsOf(context, account) }
}

/** The library leaves out what the scopes do not allow. */
async function claimsOf(context: AccessContext, { uuid, login, name, email }: Account) {
  return {
    sub: uuid,
    preferred_username: login,
    ...(name !== null && { name }),
    ...(email !== null && { email, email_verified: await vouchesFor(context, { uuid, email }) }),
  }
}
