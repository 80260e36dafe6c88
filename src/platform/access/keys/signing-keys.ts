import { generateKeyPair, hash, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import type { LRUCache } from 'lru-cache'
import type { Database, Sql } from '../../../db/sql.ts'
import { digestOf } from '../../../lib/digest.ts'
import { recentlyUsed } from '../../../lib/recently-used.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import {
  deleteKeys,
  fetchKeys,
  insertKey,
  lockKeys,
  retireKey,
  type StoredKey,
} from '../../../store/access/signing-keys.ts'
import { changeAccess } from '../../change-domain.ts'
import type { AccessContext } from '../access-context.ts'

/** RS256 is used because Debian's mod_auth_openidc does not know EdDSA. */
const ALGORITHM = 'RS256'
const MODULUS_BITS = 2048

const DAY_MS = 86_400_000
const SIGNS_MS = 90 * DAY_MS
/** The time for which a key is published before it signs and after it signs. */
const OVERLAP_MS = DAY_MS
/** The time for which a process may use the keys that it has read. */
const FRESH_MS = 5_000
/** After this time every process publishes a key that was made by command, even if clocks differ by some seconds. */
const SPREAD_MS = 30_000

/** A private key in the form of RFC 7517 and RFC 7518. */
export interface PrivateJwk extends JsonWebKey {
  readonly kty: 'RSA'
  readonly kid: string
  readonly use: 'sig'
  readonly alg: typeof ALGORITHM
}

export interface SigningKeys {
  readonly current: PrivateJwk
  /** The published keys, the current one first. */
  readonly published: readonly PrivateJwk[]
  /** A text that changes whenever another key signs or is published. */
  readonly version: string
}

interface Known {
  /** A promise, so that concurrent callers share one read of the keys. */
  readonly keys: Promise<SigningKeys>
  readonly readAt: number
}

/** For each database that this process has opened, the keys of its domains. Those of one take some kilobytes. */
const known = new WeakMap<Database, LRUCache<string, Known>>()
const MOST_DOMAINS = 2_000

/** The keys that sign ID tokens. The first call makes the first key. Later keys are made before they are needed. */
export async function signingKeys(context: AccessContext): Promise<SigningKeys> {
  const domain = String(context.domain.id)
  const remembered = knownOf(context).get(domain)
  const now = context.now().getTime()
  // A clock that was set back must not hide keys that another process has made.
  if (remembered !== undefined && Math.abs(now - remembered.readAt) < FRESH_MS) return remembered.keys
  const keys = currentKeys(context).then((stored) => open(context, stored))
  knownOf(context).set(domain, { keys, readAt: now })
  keys.catch(() => knownOf(context).delete(domain))
  return keys
}

function knownOf({ database }: AccessContext): LRUCache<string, Known> {
  const domains = known.get(database) ?? recentlyUsed<Known>(MOST_DOMAINS)
  known.set(database, domains)
  return domains
}

/** The published keys, the newest first. */
async function currentKeys(context: AccessContext): Promise<readonly StoredKey[]> {
  const { database, domain } = context
  const stored = await readDomain(database, domain.id, (sql) => fetchKeys(sql, domain.id, context.now()))
  if (!needsNext(stored, context.now())) return stored
  const made = await makeKey(context)
  const keys = await writeAccess(database, domain.id, async (sql) => {
    await lockKeys(sql, domain.id)
    // Another process may have made the key in the meantime.
    const seen = await fetchKeys(sql, domain.id, context.now())
    if (!needsNext(seen, context.now())) return seen
    const signsFrom = startOfNext(seen, context.now())
    return takeOver(sql, context, made, signsFrom, seen)
  })
  if (keys.some(({ kid }) => kid === made.kid)) context.noteMadeKey?.(made.kid)
  return keys
}

/** The key that signs now. If none has begun, after the clock was set back, the newest signs: published longest. */
function currentOf(keys: readonly StoredKey[], now: Date): StoredKey | undefined {
  return begunOf(keys, now) ?? keys[0]
}

function begunOf(keys: readonly StoredKey[], now: Date): StoredKey | undefined {
  return keys.find(({ signsFrom }) => signsFrom <= now)
}

function needsNext(keys: readonly StoredKey[], now: Date): boolean {
  const newest = keys[0]
  return newest === undefined || newest.signsUntil.getTime() - OVERLAP_MS <= now.getTime()
}

/**
 * The time when the next key begins to sign. If nobody signed in for a while, the old key signs until the next key has
 * been published long enough.
 */
function startOfNext(keys: readonly StoredKey[], now: Date): Date {
  const current = currentOf(keys, now)
  if (current === undefined) return now
  return new Date(Math.max(current.signsUntil.getTime(), now.getTime() + OVERLAP_MS))
}

/**
 * Publishes the next key. The present key stops signing when the next one begins. If no key has begun by this clock,
 * any of them may have signed. Then all of them stop at that time and stay published as long.
 */
async function takeOver(
  sql: Sql,
  context: AccessContext,
  made: NewKey,
  signsFrom: Date,
  before: readonly StoredKey[],
): Promise<readonly StoredKey[]> {
  const { domain } = context
  const now = context.now()
  const signsUntil = new Date(signsFrom.getTime() + SIGNS_MS)
  const next = { ...made, signsFrom, signsUntil, publishedUntil: new Date(signsUntil.getTime() + OVERLAP_MS) }
  const begun = begunOf(before, now)
  const retired = { now, signsUntil: signsFrom, publishedUntil: new Date(signsFrom.getTime() + OVERLAP_MS) }
  for (const { kid } of begun === undefined ? before : [begun]) await retireKey(sql, domain.id, kid, retired)
  await deleteKeys(sql, domain.id, now, { unused: true })
  await insertKey(sql, domain.id, next, now)
  return fetchKeys(sql, domain.id, now)
}

/** Makes another key sign as soon as every process publishes it. Old signatures stay valid, so no sign-in fails. */
export async function rotateSigningKey(context: AccessContext): Promise<{ kid: string; signsFrom: Date }> {
  const { domain } = context
  await currentKeys(context)
  const made = await makeKey(context)
  const signsFrom = new Date(context.now().getTime() + SPREAD_MS)
  await changeAccess(context, async (sql) => {
    await lockKeys(sql, domain.id)
    await takeOver(sql, context, made, signsFrom, await fetchKeys(sql, domain.id, context.now()))
  })
  knownOf(context).delete(String(domain.id))
  return { kid: made.kid, signsFrom }
}

function open(context: AccessContext, stored: readonly StoredKey[]): SigningKeys {
  const current = currentOf(stored, context.now())
  if (current === undefined) throw new Error('a domain has signing keys, and none that signs')
  const published = [current, ...stored.filter((key) => key !== current)].map((key) => unseal(context, key))
  const [first] = published
  if (first === undefined) throw new Error('the current key is not among those that are published')
  return { current: first, published, version: digestOf(published.map(({ kid }) => kid).join(' ')) }
}

type NewKey = Pick<StoredKey, 'kid' | 'algorithm' | 'publicJwk' | 'privateJwk'>

const generate = promisify(generateKeyPair)

/** Makes a key outside of the main thread, because that takes some tenths of a second. */
async function makeKey(context: AccessContext): Promise<NewKey> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS })
  const { kty, n, e } = publicKey.export({ format: 'jwk' })
  if (kty !== 'RSA' || n === undefined || e === undefined) throw new Error('a new RSA key is invalid')
  // The id of the key is its thumbprint (RFC 7638, section 3).
  const kid = hash('sha256', JSON.stringify({ e, kty, n }), 'base64url')
  const secret = JSON.stringify(privateKey.export({ format: 'jwk' }))
  return {
    kid,
    algorithm: ALGORITHM,
    publicJwk: { kty, n, e },
    privateJwk: context.key.seal(secret, encryptionContext(context, kid)),
  }
}

function unseal(context: AccessContext, { kid, privateJwk }: StoredKey): PrivateJwk {
  const jwk = JSON.parse(context.key.unseal(privateJwk, encryptionContext(context, kid))) as JsonWebKey
  return { ...jwk, kty: 'RSA', kid, use: 'sig', alg: ALGORITHM }
}

function encryptionContext({ domain }: AccessContext, kid: string): string {
  return `signing key ${kid} of the domain ${domain.uuid}`
}
