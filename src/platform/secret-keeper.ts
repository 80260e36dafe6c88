import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { ARGON2, isUpToDate, parsePhc, toPhc } from '../auth/password-hash.ts'
import { isStrongSecret } from '../auth/secret-strength.ts'
import type { RecordType } from '../records/record-type.ts'
import { Secret } from '../records/secret.ts'
import type { Rank } from './semaphore.ts'
import { argon2id, type SlowHash } from './slow-hash.ts'
import { recentlyUsed } from '../lib/recently-used.ts'

/** The number of wrong guesses per hour that plans report. Without a limit, plans could guess passwords. */
const MOST_MISMATCHES = 60
const HOUR = 3_600_000
const MOST_REMEMBERED = 10_000

const SALT_BYTES = 16

/** The prefix of a fast hash. Passwords never have one, so a password with such a hash lets nobody in. */
const KEYED = 'hmac-sha256:'

export interface PasswordCheck {
  readonly isRight: boolean
  /** Whether the password should be hashed again with the present parameters. */
  readonly isOutdated: boolean
}

/** The answer of a plan about a secret. */
interface Guess {
  readonly domain: string
  /** The id of the record with the secret, by its present key on the platform. */
  readonly id: string
  readonly isRight: boolean
  /** The fingerprint of the guess. Repeating a guess reveals nothing new. */
  readonly fingerprint: string
}

/** The hash to compare with if there is no password. */
const NOBODYS_HASH = { parameters: ARGON2, salt: randomBytes(SALT_BYTES), tag: randomBytes(ARGON2.tagLength) }

/** Hashes and compares secrets. Its keys are derived from the platform's key, which is never in the database. */
export class SecretKeeper {
  readonly #fingerprintKey: Uint8Array
  readonly #clientSecretKey: Uint8Array
  readonly #now: () => Date
  readonly #slowHash: SlowHash
  readonly #slowFingerprints = recentlyUsed<string>(MOST_REMEMBERED)
  readonly #mismatches = new Map<string, { readonly since: number; readonly wrong: Set<string> }>()

  constructor(key: Uint8Array, now: () => Date, slowHash: SlowHash = argon2id) {
    this.#fingerprintKey = derive(key, 'holdfast secret fingerprint')
    this.#clientSecretKey = derive(key, 'holdfast client secret')
    this.#now = now
    this.#slowHash = slowHash
  }

  /**
   * A text that is the same for equal secrets, and reveals nothing else without the key. A secret that could be guessed
   * is hashed slowly first, in case the key leaks together with the database.
   */
  async fingerprint(domain: string, type: RecordType, salt: string, secret: Secret): Promise<string> {
    const known = this.knownFingerprint(domain, type, salt, secret)
    if (known !== null) return known
    const context = contextOf(domain, type, salt)
    const nonce = createHmac('sha256', this.#fingerprintKey).update(context).digest().subarray(0, 16)
    const tag = await this.#slowHash(secret.reveal().normalize('NFKC'), nonce, ARGON2)
    const fingerprint = this.#hmac(this.#fingerprintKey, context + Buffer.from(tag).toString('base64'))
    this.#slowFingerprints.set(this.nameInMemory(context, secret), fingerprint)
    return fingerprint
  }

  /**
   * The fingerprint if computing it is fast or it is cached; null otherwise. So planning the same document again is
   * fast.
   */
  knownFingerprint(domain: string, type: RecordType, salt: string, secret: Secret): string | null {
    const context = contextOf(domain, type, salt)
    const text = secret.reveal().normalize('NFKC')
    if (isStrongSecret(text)) return this.#hmac(this.#fingerprintKey, context + text)
    return this.#slowFingerprints.get(this.nameInMemory(context, secret)) ?? null
  }

  /** A keyed hash under which results for a secret are cached. */
  nameInMemory(about: string, secret: Secret): string {
    return this.#hmac(this.#fingerprintKey, `remembered\n${about}${secret.reveal().normalize('NFKC')}`)
  }

  /** The hash that is stored to check sign-ins: argon2id for a password, and a keyed hash for a client's secret. */
  async hash(type: RecordType, secret: Secret): Promise<string> {
    return type.secretKind === 'password' ? this.hashPassword(secret) : this.hashClientSecret(secret)
  }

  /** Tells whether a secret belongs to a stored hash. */
  async check(type: RecordType, secret: Secret, stored: string | null): Promise<boolean> {
    if (type.secretKind !== 'password') return this.checkClientSecret(secret, stored)
    return (await this.checkPassword(secret, stored)).isRight
  }

  async hashPassword(password: Secret): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const tag = await this.#slowHash(password.reveal().normalize('NFKC'), salt, ARGON2)
    return toPhc({ parameters: ARGON2, salt, tag })
  }

  /** Compares a password. It takes as long without a password, so that nobody learns which accounts have one. */
  async checkPassword(password: Secret, stored: string | null, rank: Rank = 'own'): Promise<PasswordCheck> {
    const known = stored === null ? null : parsePhc(stored)
    const { parameters, salt, tag } = known ?? NOBODYS_HASH
    const given = await this.#slowHash(password.reveal().normalize('NFKC'), salt, parameters, rank)
    // The comparison comes before `&&`, so that it also happens without a stored password.
    const isEqual = timingSafeEqual(given, tag)
    return { isRight: isEqual && known !== null, isOutdated: known !== null && !isUpToDate(known) }
  }

  checkClientSecret(secret: Secret, stored: string | null): boolean {
    const given = Buffer.from(this.hashClientSecret(secret))
    const known = Buffer.from(stored ?? this.hashClientSecret(new Secret('')))
    return given.length === known.length && timingSafeEqual(given, known) && stored !== null
  }

  hashClientSecret(secret: Secret): string {
    return KEYED + this.#hmac(this.#clientSecretKey, secret.reveal().normalize('NFKC'))
  }

  /**
   * Records a wrong guess. Returns false for a new guess after too many wrong ones. Then a plan must say that nothing
   * was compared, even if the guess is right, because otherwise the two could be told apart.
   */
  mayTell({ domain, id, isRight, fingerprint }: Guess): boolean {
    const now = this.#now().getTime()
    const name = `${domain}\n${id}`
    const seen = this.#mismatches.get(name)
    // The clock may have been set back.
    const isOver = seen === undefined || Math.abs(now - seen.since) > HOUR
    const recent = isOver ? { since: now, wrong: new Set<string>() } : seen
    if (recent.wrong.has(fingerprint)) return true
    if (recent.wrong.size >= MOST_MISMATCHES) return false
    if (!isRight) this.#mismatches.set(name, { ...recent, wrong: recent.wrong.add(fingerprint) })
    return true
  }

  #hmac(key: Uint8Array, text: string): string {
    return createHmac('sha256', key).update(text).digest('base64url')
  }
}

/** The stored hash of a secret that nobody knows: `${generated}` in a document. No known text has this hash. */
export function hashOfUnknown(): string {
  return KEYED + randomBytes(32).toString('base64url')
}

function contextOf(domain: string, type: RecordType, salt: string): string {
  return `${domain}\n${type.name}\n${salt}\n`
}

function derive(key: Uint8Array, info: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, new Uint8Array(0), info, 32))
}
