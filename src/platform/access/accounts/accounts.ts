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
import { passwordMark } from '../sessions/sign-in-mark.ts'
import { statusOf } from './status.ts'

const TYPES = { person: typeThatSignsIn('person'), machine: typeThatSignsIn('machine') } as const

export const ACCOUNT_TYPES = [TYPES.person.name, TYPES.machine.name] as const

/** In whatever status. */
export async function findAccount({ database, domain }: AccessContext, uuid: string): Promise<Account | null> {
  if (!isUuid(uuid)) return null
  const found = await readDomain(database, domain.id, (sql) => findPrincipal(sql, domain.id, ACCOUNT_TYPES, uuid))
  return found === null ? null : toAccount(found)
}

/** In whatever status. */
export async function findAccountByLogin(
  { database, domain }: AccessContext,
  kind: Account['kind'],
  login: string,
): Promise<Account | null> {
  const wanted = keyOfLogin(kind, login)
  const found = await readDomain(database, domain.id, (sql) => findPrincipalByKey(sql, domain.id, wanted))
  return found === null ? null : toAccount(found)
}

/** Somebody who has just entered their password. */
export interface PasswordSignIn extends Account {
  /** Of the password: see sign-in-mark.ts. */
  readonly mark: string
}

/** As many as can be checked in some two seconds; whoever comes after them shall rather try again. */
const MOST_WAITING = 256

/**
 * The person or machine user with this login and password. Null says no more than that it is not so: not who exists, nor
 * who has a password, nor whose status forbids it; and it takes equally long to say.
 * `isKnown`: the account has signed in from there before, so it goes first, and may wait however many others do.
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
  return { ...account, mark: passwordMark(isOutdated ? await hashAnew(context, principal, secret) : stored) }
}

/** Whether the account has the password still that a mark is of. */
export async function hasPasswordOf({ database, domain }: AccessContext, uuid: string, mark: string): Promise<boolean> {
  const found = await readDomain(database, domain.id, (sql) => findPrincipal(sql, domain.id, ACCOUNT_TYPES, uuid))
  return found !== null && found.hash !== null && passwordMark(found.hash) === mark
}

/** A person before a machine user of the same login, unless only the machine user has a password. */
async function findPrincipalByLogin({ database, domain }: AccessContext, login: string): Promise<Principal | null> {
  const found = await readDomain(database, domain.id, async (sql) => [
    await findPrincipalByKey(sql, domain.id, keyOfLogin('person', login)),
    await findPrincipalByKey(sql, domain.id, keyOfLogin('machine', login)),
  ])
  return found.find((principal) => principal !== null && principal.hash !== null) ?? null
}

/** By its new parameters; only while the password is the one that was checked. Who signed in before does so again. */
async function hashAnew(
  { database, domain, secrets }: AccessContext,
  principal: Principal,
  secret: Secret,
): Promise<string> {
  const hash = await secrets.hashPassword(secret)
  await writeAccess(database, domain.id, (sql) => saveHash(sql, domain.id, principal, hash, principal.hash))
  return hash
}

/** A text cannot hold the character 0 in PostgreSQL, so nobody's login does. */
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

/** Somebody whose e-mail address nobody told has one that leads nowhere (RFC 2606, section 2). */
function isInvented(email: string): boolean {
  return email.endsWith('.invalid')
}
