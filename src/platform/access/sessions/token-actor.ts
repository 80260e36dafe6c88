import type { Backing, Standing } from '../../../store/access/bearers.ts'
import type { Account } from '../accounts/account.ts'
import { ACCOUNT_TYPES, toAccount } from '../accounts/accounts.ts'
import { toClient } from '../clients/clients.ts'
import type { Actor } from '../grants/actor.ts'
import type { GrantKeeper } from '../grants/grant-keeper.ts'
import { makeActor } from '../grants/make-actor.ts'
import { scopesAllowedBy, scopesAllowedByClient } from '../grants/method-scopes.ts'

/** An access token with the records behind it. */
export type Bearer = Standing & Backing

/** The actor of a valid token. Everything behind it must be ACTIVATED: account, consumer, authentication method. */
export async function actorOf(grants: GrantKeeper, bearer: Bearer): Promise<Actor | null> {
  const { domainId, account: signer } = bearer
  const account = accountOf(bearer)
  if (signer === null || account?.status !== 'ACTIVATED') return null
  const scopes = scopesNow(bearer, account)
  if (scopes === null) return null
  return makeActor(grants, { domainId, account, scopes, bearer: { ...bearer, account: signer } })
}

/** The account of a token. Its uuid may belong to any record, but only users and machine users are accounts. */
function accountOf({ account }: Bearer): Account | null {
  const types: readonly string[] = ACCOUNT_TYPES
  return account !== null && types.includes(account.type) ? toAccount(account) : null
}

/**
 * The scopes of a token that its application and its method still allow; null if one of them no longer lets the account
 * in. A token without a method has none that can be deactivated.
 */
function scopesNow(bearer: Bearer, account: Account): readonly string[] | null {
  const { methodUuid, method, rule, scope } = bearer
  const issuedFor = (scope ?? '').split(' ').filter((name) => name !== '')
  const client = bearer.client === null ? null : toClient(bearer.client)
  const scopes = scopesAllowedByClient({ clientId: bearer.clientId, client, method }, issuedFor)
  if (scopes === null || methodUuid === null) return scopes
  return scopesAllowedBy(method, account, { rule, scopes })
}
