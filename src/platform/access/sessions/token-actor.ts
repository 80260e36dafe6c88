import type { Backing, Standing } from '../../../store/access/bearers.ts'
import type { Account } from '../accounts/account.ts'
import { ACCOUNT_TYPES, toAccount } from '../accounts/accounts.ts'
import { toClient } from '../clients/clients.ts'
import type { Actor } from '../grants/actor.ts'
import type { GrantKeeper } from '../grants/grant-keeper.ts'
import { makeActor } from '../grants/make-actor.ts'
import { scopesOf } from '../grants/method-scopes.ts'

/** An access token with what stands behind it. */
export type Bearer = Standing & Backing

/**
 * Whom a token stands for that has not expired and is not consumed. Everything behind it must be ACTIVATED: account,
 * consumer, authentication method.
 */
export async function actorOf(grants: GrantKeeper, bearer: Bearer): Promise<Actor | null> {
  const { domainId, account: signer } = bearer
  const account = accountOf(bearer)
  if (signer === null || account?.status !== 'ACTIVATED') return null
  const allowed = scopesAllowed(bearer, account)
  if (allowed === null) return null
  const scopes = (bearer.scope ?? '').split(' ').filter((scope) => scope !== '' && allowed(scope))
  return makeActor(grants, { domainId, account, scopes, bearer: { ...bearer, account: signer } })
}

/** The account of a token. Its uuid may belong to any record, but only users and machine users are accounts. */
function accountOf({ account }: Bearer): Account | null {
  const types: readonly string[] = ACCOUNT_TYPES
  return account !== null && types.includes(account.type) ? toAccount(account) : null
}

/**
 * Tells which scopes the application and the method behind a token allow now, even if they allowed more before; null
 * where they allow nothing.
 */
function scopesAllowed(bearer: Bearer, account: Account): ((scope: string) => boolean) | null {
  const [byClient, byMethod] = [scopesOfClient(bearer), scopesOfMethod(bearer, account)]
  return byClient === null || byMethod === null ? null : (scope) => byClient(scope) && byMethod(scope)
}

function scopesOfClient({ clientId, client, method }: Bearer): ((scope: string) => boolean) | null {
  if (clientId === null) return () => true
  const consumer = client === null ? null : toClient(client)
  if (consumer?.identifier === clientId)
    return consumer.status === 'ACTIVATED' ? (scope) => consumer.allowedScopes.includes(scope) : null
  // In a token exchange, the client is named as the other provider names us (RFC 8693).
  return method?.configuration['clientId'] === clientId ? () => true : null
}

/** A token without a method did not come from one that can be deactivated, so no method limits it. */
function scopesOfMethod({ methodUuid, method }: Bearer, account: Account): ((scope: string) => boolean) | null {
  return methodUuid === null ? () => true : scopesOf(method, account)
}
