import { randomBytes } from 'node:crypto'
import type { Right } from '../../../auth/scopes.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { quoted } from '../../../lib/quoted.ts'
import { Secret } from '../../../records/secret.ts'
import { revokeAccount } from '../../../store/access/artifacts.ts'
import { readDomain, writeDomain } from '../../../store/domains.ts'
import type { Authority } from '../../../store/access/grants.ts'
import {
  deletePasswordLinks,
  fetchPasswordLinks,
  findPasswordLink,
  savePasswordLink,
  type PasswordLink,
} from '../../../store/access/password-links.ts'
import {
  fetchPrincipals,
  findPrincipal,
  findPrincipalByKey,
  saveHash,
  type Principal,
} from '../../../store/access/principals.ts'
import { changeAccess, changeDomain } from '../../change-domain.ts'
import type { AccessContext } from '../access-context.ts'
import { rightsNow } from '../grants/authority.ts'
import type { Account } from './account.ts'
import { ACCOUNT_TYPES, keyOfLogin, toAccount } from './accounts.ts'
import { checkNewPassword } from './passwords.ts'
import { forgetPlacesOf } from '../sessions/guessing.ts'
import { tokenHash } from '../sessions/token-hash.ts'

// People get a password by a link, because an import document has no passwords of people. An operator creates the
// link and passes it on.

/** The right to make links. */
const RIGHT: Right = 'access:admin'

const TOKEN_BYTES = 32
const DAY_MS = 24 * 3_600_000
/** This time is long, because people may be away when they are invited. */
const FIRST_MS = 7 * DAY_MS
/** This time is shorter, because a person who asks for a reset waits for it. */
const RESET_MS = DAY_MS

export interface NewPasswordLink {
  /** The token is shown once and not stored. */
  readonly token: string
  readonly expiresAt: Date
}

/**
 * Creates a link for an invitation or a reset, and replaces earlier links of the person. The link is valid while its
 * `maker` has the right to make one. Null for a person whose rights cannot be revoked.
 */
export async function createPasswordLink(
  context: AccessContext,
  login: string,
  createdBy: string,
  maker: Authority | null = null,
): Promise<NewPasswordLink> {
  const { domain } = context
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const createdAt = context.now()
  return changeDomain(context, async (sql) => {
    const { uuid: accountUuid, hash } = await findPerson(sql, context, login)
    const expiresAt = new Date(createdAt.getTime() + (hash === null ? FIRST_MS : RESET_MS))
    const link = { accountUuid, createdBy, maker, createdAt, expiresAt }
    await savePasswordLink(sql, domain.id, tokenHash(token), link)
    return { token, expiresAt }
  })
}

/** A link that can still be used, without its token. */
export interface OpenPasswordLink extends Pick<PasswordLink, 'createdBy' | 'createdAt' | 'expiresAt'> {
  /** The account whose password the link sets. */
  readonly account: Account
}

/** The maximum number of links that are listed. If there are more, the newest are listed. */
const MOST_LISTED = 1_000

/** Lists the valid links of an account, or of all accounts, newest first. */
export async function listPasswordLinks(
  { database, domain, now }: AccessContext,
  account: string | null = null,
): Promise<OpenPasswordLink[]> {
  return readDomain(database, domain.id, async (sql) => {
    const links = await fetchPasswordLinks(sql, domain.id, { account, now: now(), most: MOST_LISTED })
    const uuids = links.map(({ accountUuid }) => accountUuid)
    const found = await fetchPrincipals(sql, domain.id, ACCOUNT_TYPES, uuids)
    const accounts = new Map(found.map((principal) => [principal.uuid, toAccount(principal)]))
    const makers = new Map<string, boolean>()
    const open: OpenPasswordLink[] = []
    for (const { accountUuid, maker, createdBy, createdAt, expiresAt } of links) {
      const account = accounts.get(accountUuid)
      const name = JSON.stringify(maker)
      const mayMake = makers.get(name) ?? (await mayMakeLinks(sql, domain.id, maker))
      makers.set(name, mayMake)
      if (mayMake && account?.status === 'ACTIVATED') open.push({ account, createdBy, createdAt, expiresAt })
    }
    return open
  })
}

/** Revokes the link of an account. */
export async function revokePasswordLink(context: AccessContext, account: string): Promise<void> {
  const { domain } = context
  const isRevoked = await changeAccess(context, (sql) => deletePasswordLinks(sql, domain.id, account))
  if (!isRevoked)
    throw new HoldfastError('NOT_FOUND', `there is no link for a password of ${account}; it may have been used already`)
}

async function findPerson(sql: Sql, { domain }: AccessContext, login: string): Promise<Principal> {
  const principal = await findPrincipalByKey(sql, domain.id, keyOfLogin('person', login))
  if (principal === null)
    throw new HoldfastError('NOT_FOUND', `there is no user ${quoted(login)}; add one to the model, and apply it`)
  const account = toAccount(principal)
  if (account.status === 'ACTIVATED') return principal
  throw new HoldfastError(
    'CONFLICT',
    `the user ${account.login} is ${account.status}; only ACTIVATED users can sign in`,
  )
}

/**
 * Finds the account whose password the link sets. Null if the link is used, replaced, revoked, expired or unknown, if
 * its maker has lost the right to make links, or if the person is not ACTIVATED.
 */
export async function readPasswordLink(context: AccessContext, token: string): Promise<Account | null> {
  const { database, domain } = context
  const principal = await readDomain(database, domain.id, (sql) => findLinked(sql, context, token))
  return principal === null ? null : toAccount(principal)
}

/**
 * Sets the password and uses up the link. All sessions and tokens of the account end, so that anyone who knew the old
 * password is signed out. Returns null like `readPasswordLink`.
 */
export async function setPassword(context: AccessContext, token: string, password: string): Promise<Account | null> {
  // Hashing is slow, so only a valid link causes it, and it happens outside of the lock.
  const account = await readPasswordLink(context, token)
  if (account === null) return null
  await checkNewPassword(password, { login: account.login, domain: context.domain })
  const hash = await context.secrets.hashPassword(new Secret(password))
  const { database, domain } = context
  return writeDomain(database, domain.id, async (sql) => {
    const principal = await findLinked(sql, context, token)
    if (principal === null || !(await saveHash(sql, domain.id, principal, hash))) return null
    await deletePasswordLinks(sql, domain.id, principal.uuid)
    await revokeAccount(sql, domain.id, principal.uuid)
    await forgetPlacesOf(sql, context, [account.login])
    return toAccount(principal)
  })
}

async function findLinked(sql: Sql, { domain, now }: AccessContext, token: string): Promise<Principal | null> {
  const link = await findPasswordLink(sql, domain.id, tokenHash(token), now())
  return link && personOf(sql, domain.id, link)
}

/** The person whose password a link sets; null if the link is not valid. */
async function personOf(sql: Sql, domainId: number, { accountUuid, maker }: PasswordLink): Promise<Principal | null> {
  const principal = await findPrincipal(sql, domainId, ACCOUNT_TYPES, accountUuid)
  if (principal === null || toAccount(principal).status !== 'ACTIVATED') return null
  return (await mayMakeLinks(sql, domainId, maker)) ? principal : null
}

async function mayMakeLinks(sql: Sql, domainId: number, maker: Authority | null): Promise<boolean> {
  return maker === null || (await rightsNow(sql, domainId, maker)).rights.has(RIGHT)
}
