import { findBackings, findToken, findTokens, type AccessToken, type BearerKey } from '../../../store/access/bearers.ts'
import type { AccessContext } from '../access-context.ts'
import { CLIENT_TYPE } from '../clients/clients.ts'
import type { Actor } from '../grants/actor.ts'
import { actorOf } from './token-actor.ts'
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
  const found = await findToken(database, { domainId: domain.id, tokenHash: tokenHash(token) })
  if (found === null || hasExpired(found, now())) return undefined
  return (await actorsOf({ database, grants }, [found])).get(found) ?? null
}

type Parts = Pick<AccessContext, 'database' | 'grants'>

/**
 * Tells whether tokens that were valid still are, and what they allow now. Tokens of other providers were stored like
 * our own when they were first seen.
 */
export async function identifyAgain(
  parts: Parts,
  keys: readonly BearerKey[],
  now: Date,
): Promise<readonly (Actor | null)[]> {
  const tokens = await findTokens(parts.database, keys)
  const good = tokens.filter((token) => token !== null).filter((token) => !hasExpired(token, now))
  const actors = await actorsOf(parts, good)
  return tokens.map((token) => (token === null ? null : (actors.get(token) ?? null)))
}

function hasExpired({ expiresAt }: AccessToken, now: Date): boolean {
  return Date.parse(expiresAt) <= now.getTime()
}

/**
 * Whom tokens stand for that have not expired. An actor is remembered by everything that it is made of: what its token
 * says, which was just read, and the version of the rights at that moment (docs/decisions/0027). What is not good is not
 * remembered.
 */
async function actorsOf(parts: Parts, tokens: readonly AccessToken[]): Promise<ReadonlyMap<AccessToken, Actor | null>> {
  const { actors } = parts.grants
  const known = new Map(tokens.map((token) => [token, token.isConsumed ? null : actors.get(keyOf(token))]))
  const unknown = tokens.filter((token) => known.get(token) === undefined)
  const made = await lookUp(parts, unknown)
  return new Map(tokens.map((token) => [token, known.get(token) ?? made.get(token) ?? null]))
}

function keyOf({ domainId, rightsVersion, accountUuid, clientId, methodUuid, scope, fits }: AccessToken): string {
  // An application may ask for the same scopes in any order.
  const scopes = scope?.split(' ').sort()
  return JSON.stringify([domainId, rightsVersion, accountUuid, clientId, methodUuid, scopes, fits])
}

/**
 * Looks up the actors of tokens in one statement. Where the version has risen since a token was read, its actor has
 * the later version.
 */
async function lookUp(
  { database, grants }: Parts,
  tokens: readonly AccessToken[],
): Promise<ReadonlyMap<AccessToken, Actor | null>> {
  if (tokens.length === 0) return new Map()
  const backings = await findBackings(database, tokens, CLIENT_TYPE.name)
  const actors = tokens.map(async (token, index) => {
    const bearer = { ...token, ...backings[index]! }
    const actor = await actorOf(grants, bearer)
    if (actor !== null) grants.actors.set(keyOf(bearer), actor)
    return [token, actor] as const
  })
  return new Map(await Promise.all(actors))
}
