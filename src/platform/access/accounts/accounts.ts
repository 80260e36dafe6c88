import { HoldfastError } from '../../../lib/errors.ts'
import { isUuid } from '../../../lib/uuid.ts'
import { keyOf, splitKey } from '../../../records/identity.ts'
import type { RecordKey } from '../../../records/record-type.ts'
import { typeThatSignsIn } from '../../../records/registry.ts'
import { Secret } from '../../../records/secret.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import { findPrincipal, findPrincipalByKey, saveHash, type Principal } from '../../../store/access/principals.ts'
import { waitingForSlowHash } from '../../slow-hash.ts'
import type { AccessContext } from '../access-context.ts'
import type { Account } from './account.ts'
import { isPossiblePassword } from './passwords.ts'
import { passwordStamp } from '../sessions/security-stamp.ts'
import { statusOf } from './status.ts'

const TYPES = { person: typeThatSignsIn('person'), machine: typeThatSignsIn('machine') } as const

export const ACCOUNT_TYPES = [TYPES.person.name, TYPES.machine.name] as const

/** Finds an account in any status. */
export async function findAccount({ database, domain }: AccessContext, uuid: string): Promise<Account | null> {
  if (!isUuid(uuid)) return null
  const found = await readDomain(database, domain.id, (sql) => findPrincipal(sql, domain.id, ACCOUNT_TYPES, uuid))
  return found === null ? null : toAccount(found)
}

/** Finds an account by its login, in any status. */
export async function findAccountByLogin(
  { database, domain }: AccessContext,
  kind: Account['kind'],
  login: string,
): Promise<Account | null> {
  const wanted = keyOfLogin(kind, login)
  const found = await readDomain(database, domain.id, (sql) => findPrincipalByKey(sql, domain.id, wanted))
  return found === null ? null : toAccount(found)
}

/** An account whose password was just checked. */
export interface PasswordSignIn extends Account {
  /** The security stamp of the password: see security-stamp.ts. */
  readonly stamp: string
}

/** The number of passwords that can be checked in about two seconds. More are refused; the client should retry. */
const MOST_WAITING = 256

/**
 * Finds the person or machine user with this login and password; null if there is none. Null does not tell whether the
 * account exists, has a password or is ACTIVATED. The check always takes equally long. `isKnown` says that the account
 * has signed in from this place before. Such an attempt is checked first, and is never refused because of too many
 * others.
 */
export async function checkPassword(
  context: AccessContext,
  login: string,
  password: string,
  { isKnown = false } = {},
): Promise<PasswordSignIn | null> {
  if (!isPossiblePassword(password)) return null
  const principal = await findPrincipalByLogin(context, login)
  if (!isKnown && waitingForSlowHash() >= MOST_WAITING)
    throw new HoldfastError('UNAVAILABLE', 'too many are signing in at once; try again in a moment')
  const secret = new Secret(password)
  const stored = principal?.hash ?? null
  const { isRight, isOutdated } = await context.secrets.checkPassword(secret, stored, isKnown ? 'known' : 'stranger')
  if (principal === null || stored === null || !isRight) return null
  const account = toAccount(principal)
  if (account.status !== 'ACTIVATED') return null
  const hash = isOutdated ? await hashAnew(context, principal, secret) : stored
  // Meanwhile another sign-in has hashed the password again, or the password was changed.
  if (hash === null) return checkPassword(context, login, password, { isKnown })
  return { ...account, stamp: passwordStamp(hash) }
}

/** The security stamp of the password of a login; null if there is none. */
export async function passwordStampOf(context: AccessContext, login: string): Promise<string | null> {
  const found = await findPrincipalByLogin(context, login)
  return found === null || found.hash === null ? null : passwordStamp(found.hash)
}

/** Tells whether the account still has the password that a security stamp belongs to. */
export async function hasPasswordOf(
  { database, domain }: AccessContext,
  uuid: string,
  stamp: string,
): Promise<boolean> {
  const found = await readDomain(database, domain.id, (sql) => findPrincipal(sql, domain.id, ACCOUNT_TYPES, uuid))
  return found !== null && found.hash !== null && passwordStamp(found.hash) === stamp
}

/** Prefers a person to a machine user of the same login, unless only the machine user has a password. */
async function findPrincipalByLogin({ database, domain }: AccessContext, login: string): Promise<Principal | null> {
  const found = await readDomain(database, domain.id, async (sql) => [
    await findPrincipalByKey(sql, domain.id, keyOfLogin('person', login)),
    await findPrincipalByKey(sql, domain.id, keyOfLogin('machine', login)),
  ])
  return found.find((principal) => principal !== null && principal.hash !== null) ?? null
}

/**
 * Hashes the password again with the present parameters. Null if the stored hash is no longer the one that was checked.
 * Earlier sign-ins end, because the stamp changes with the hash.
 */
async function hashAnew(
  { database, domain, secrets }: AccessContext,
  principal: Principal,
  secret: Secret,
): Promise<string | null> {
  const hash = await secrets.hashPassword(secret)
  const isSaved = await writeAccess(database, domain.id, (sql) =>
    saveHash(sql, domain.id, principal, hash, principal.hash),
  )
  return isSaved ? hash : null
}

/** The record key of a login. PostgreSQL's texts have no character 0, so no login contains one. */
export function keyOfLogin(kind: Account['kind'], login: string): RecordKey {
  const type = TYPES[kind]
  return { type: type.name, key: keyOf(type, { [type.identity[0]]: login.replaceAll('\0', '\uFFFD') }) }
}

export function toAccount({ uuid, type, key, body }: Pick<Principal, 'uuid' | 'type' | 'key' | 'body'>): Account {
  const [login = ''] = splitKey(key)
  const isPerson = type === TYPES.person.name
  return {
    uuid,
    kind: isPerson ? 'person' : 'machine',
    login,
    name: typeof body['name'] === 'string' ? body['name'] : null,
    email: isPerson && !isInvented(login) ? login : null,
    status: statusOf(body),
  }
}

/** Recognises an address made up for a person without one of the provider. It leads nowhere (RFC 2606, section 2). */
function isInvented(email: string): boolean {
  return email.endsWith('.invalid')
}
