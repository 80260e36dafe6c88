import {
  findBackings,
  findTokens,
  readStanding,
  type AccessToken,
  type BearerKey,
  type Standing,
} from '../../../store/access/bearers.ts'
import type { AccessContext } from '../access-context.ts'
import { CLIENT_TYPE } from '../clients/clients.ts'
import type { Actor } from '../grants/actor.ts'
import { actorOf } from './token-actor.ts'
import { tokenHash } from './token-hash.ts'
import type { Database } from '../../../db/sql.ts'
import { joinLookUps } from '../../../lib/join-look-ups.ts'

/** Three parts in base64url (RFC 7515, section 7.1), as other providers' tokens. Our own have no dot. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * The actor of a bearer token at this moment; null if the token is not valid. A token of another provider is checked on
 * first sight. If that check fails, the error is UNAUTHENTICATED with the reason.
 */
export async function identifyBearer(context: AccessContext, token: string): Promise<Actor | null> {
  const known = await findGood(context, token)
  if (known !== undefined || !JWT.test(token)) return known ?? null
  // This code is loaded for the first such token, because most processes never receive one.
  const { signInDelegated } = await import('../delegated/delegated.ts')
  await signInDelegated(context, token)
  return (await findGood(context, token)) ?? null
}

/** The actor of a token in its present state; undefined if there is no such token, or it has expired. */
async function findGood({ database, domain, grants, now }: AccessContext, token: string) {
  const found = await findToken(database, { domainId: domain.id, tokenHash: tokenHash(token) })
  if (found === null || hasExpired(found, now())) return undefined
  if (found.isConsumed) return null
  const known = grants.actors.get(found.standing)
  if (known !== undefined) return known
  if (JWT.test(token) && isOfEarlierRelease(readStanding(found))) return undefined
  return (await lookUp({ database, grants }, [found])).get(found) ?? null
}

/**
 * Tells whether an earlier release stored a provider's token. Such a row has no rule, and its grants may not fit any
 * more. The token is checked again, as on first sight.
 */
function isOfEarlierRelease({ rule, methodUuid, clientId }: Standing): boolean {
  return rule === null && methodUuid !== null && clientId === null
}

type Parts = Pick<AccessContext, 'database' | 'grants'>

/**
 * Tells whether tokens are still valid, and which rights they have now. Tokens of other providers were stored like
 * tokens of this platform when they were first seen.
 */
export async function identifyAgain(
  parts: Parts,
  keys: readonly BearerKey[],
  now: Date,
): Promise<readonly (Actor | null)[]> {
  const { actors } = parts.grants
  const tokens = await findTokens(parts.database, keys)
  const good = tokens.filter((token) => token !== null && !token.isConsumed && !hasExpired(token, now))
  const known = new Map(good.map((token) => [token, token === null ? undefined : actors.get(token.standing)]))
  const unknown = tokens.filter((token) => token !== null).filter((token) => known.has(token) && !known.get(token))
  const made = await lookUp(parts, unknown)
  return tokens.map((token) => (token === null ? null : (known.get(token) ?? made.get(token) ?? null)))
}

function hasExpired({ expiresAt }: AccessToken, now: Date): boolean {
  return expiresAt <= now
}

/**
 * Looks up the actors of tokens in one statement. It remembers each under everything that determines it: the content of
 * the token, and the version of the rights (docs/decisions/0027). If that version has increased since a token was read,
 * the actor has rights of the later version and is not remembered. Invalid tokens are not remembered either.
 */
async function lookUp(
  { database, grants }: Parts,
  tokens: readonly AccessToken[],
): Promise<ReadonlyMap<AccessToken, Actor | null>> {
  if (tokens.length === 0) return new Map()
  const standings = tokens.map(readStanding)
  const backings = await findBackings(database, standings, CLIENT_TYPE.name)
  const actors = tokens.map(async (token, index) => {
    const [standing, backing] = [standings[index]!, backings[index]!]
    const actor = await actorOf(grants, { ...standing, ...backing })
    if (actor !== null && standing.rightsVersion === backing.rightsVersion) grants.actors.set(token.standing, actor)
    return [token, actor] as const
  })
  return new Map(await Promise.all(actors))
}

type Find = (key: BearerKey) => Promise<AccessToken | null>

/** One finder for each pool of connections, since tokens of all domains are looked up together. */
const FINDERS = new WeakMap<Database, Find>()

/** Finds a token in its present state. Concurrent requests share a few statements. */
function findToken(database: Database, key: BearerKey): Promise<AccessToken | null> {
  // Together, tokens of a domain whose machine is away would fail all others.
  if (database.isDistributed === true) return findTokens(database, [key]).then(([token]) => token ?? null)
  const find = FINDERS.get(database) ?? joinLookUps((keys: readonly BearerKey[]) => findTokens(database, keys))
  FINDERS.set(database, find)
  return find(key)
}
