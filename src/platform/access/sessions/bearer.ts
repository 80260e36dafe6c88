import { scopesAtMost, type DelegatedConfiguration } from '../../../auth/method-configuration.ts'
import { findBearer, findBearers, type Bearer, type BearerKey } from '../../../store/access/bearers.ts'
import type { AccessContext } from '../access-context.ts'
import type { Account } from '../accounts/account.ts'
import { ACCOUNT_TYPES, toAccount } from '../accounts/accounts.ts'
import type { Actor } from '../grants/actor.ts'
import { CLIENT_TYPE, toClient } from '../clients/clients.ts'
import type { GrantKeeper } from '../grants/grant-keeper.ts'
import { makeActor } from '../grants/make-actor.ts'
import { tokenHash } from './token-hash.ts'

/**
 * Three parts in base64url (RFC 7515, section 7.1), which is the form of other providers' tokens. Our own tokens have
 * no dot.
 */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * The actor of a bearer token at this moment; null where the token is not valid. A token of another provider is
 * checked on first sight, and what is wrong with it is reported as UNAUTHENTICATED.
 */
export async function identifyBearer(context: AccessContext, token: string): Promise<Actor | null> {
  const known = await findGood(context, token)
  if (known !== undefined || !JWT.test(token)) return known ?? null
  // The code is loaded for the first such token, because most processes never get one.
  const { signInDelegated } = await import('../delegated/delegated.ts')
  await signInDelegated(context, token)
  return (await findGood(context, token)) ?? null
}

/** Finds a remembered token; undefined where it has not been seen, or has expired. */
async function findGood({ database, domain, grants, now }: AccessContext, token: string) {
  const bearer = await findBearer(database, domain.id, tokenHash(token), CLIENT_TYPE.name)
  return bearer === null || hasExpired(bearer, now()) ? undefined : actorOf(grants, domain.id, bearer)
}

/**
 * Tells whether tokens that were valid still are, and what they allow now. Tokens of other providers were stored like
 * our own when they were first seen.
 */
export async function identifyAgain(
  { database, grants }: Pick<AccessContext, 'database' | 'grants'>,
  keys: readonly BearerKey[],
  now: Date,
): Promise<readonly (Actor | null)[]> {
  const bearers = await findBearers(database, keys, CLIENT_TYPE.name)
  return Promise.all(
    bearers.map((bearer, index) =>
      bearer === null || hasExpired(bearer, now) ? null : actorOf(grants, keys[index]!.domainId, bearer),
    ),
  )
}

function hasExpired({ expiresAt }: Bearer, now: Date): boolean {
  return Date.parse(expiresAt) <= now.getTime()
}

/** The actor of a token. Its account, consumer and authentication method must all be ACTIVATED. */
async function actorOf(grants: GrantKeeper, domainId: number, bearer: Bearer): Promise<Actor | null> {
  const { account: signer } = bearer
  const account = accountOf(bearer)
  if (bearer.isConsumed || signer === null || account?.status !== 'ACTIVATED') return null
  const allowed = scopesAllowed(bearer, account)
  if (allowed === null) return null
  const scopes = (bearer.scope ?? '').split(' ').filter((scope) => scope !== '' && allowed(scope))
  return makeActor(grants, { domainId, account, scopes, bearer: { ...bearer, account: signer } })
}

/** The account of a token. A uuid may belong to any record, but only persons and machine users act. */
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

/** A token without a method did not come by one that could be switched off. */
function scopesOfMethod({ methodUuid, method }: Bearer, { kind, login }: Account): ((scope: string) => boolean) | null {
  if (methodUuid === null) return () => true
  if (method?.status !== 'ACTIVATED') return null
  if (method.kind === 'internal') return () => true
  const machineUser = kind === 'machine' ? login : null
  const most = scopesAtMost(method.configuration as unknown as DelegatedConfiguration, machineUser)
  return (scope) => most.includes(scope)
}
