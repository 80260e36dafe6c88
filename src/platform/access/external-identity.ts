import { hash } from 'node:crypto'
import type { Claims } from '../../auth/federation-rules.ts'
import type { Sql } from '../../db/sql.ts'
import { readDomain, writeDomain } from '../../store/domains.ts'
import {
  fetchIdentitiesOf,
  fetchIdentity,
  saveIdentity,
  type ExternalIdentity,
} from '../../store/external-identities.ts'
import { insertPlatformRecord } from '../../store/platform-records.ts'
import { findPrincipal, findPrincipalByKey, type Principal } from '../../store/principals.ts'
import type { AccessContext } from './access-context.ts'
import type { Account } from './account.ts'
import { ACCOUNT_TYPES, keyOfLogin, toAccount } from './accounts.ts'
import { admit } from './admission.ts'
import { refusal } from './refusal.ts'
import type { DelegatedMethod } from './method.ts'

/**
 * The account, in whatever status, of a person whom another provider has told about; made on first sight (specification,
 * section 5). The claims must have been checked. Fails as UNAUTHENTICATED where the method's rules do not let them in.
 */
export async function accountOfIdentity(
  context: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
): Promise<Account> {
  const { machineUser, rule } = admit(method, claims)
  if (machineUser === null) return accountOfPerson(context, method, claims)
  throw refusal(`the rule ${JSON.stringify(rule)} stands for a machine user, and people do not sign in as one`)
}

/** For claims that were admitted as a person's. */
export async function accountOfPerson(
  context: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
): Promise<Account> {
  const { database, domain, now } = context
  const identity = identityOf(method, claims)
  const known = await readDomain(database, domain.id, (sql) => findKnown(sql, domain.id, identity))
  if (known !== null) return toAccount(known)
  // Under the domain's lock: a record of the same key cannot come in between.
  return writeDomain(database, domain.id, async (sql) => {
    const met = await findKnown(sql, domain.id, identity)
    if (met !== null) return toAccount(met)
    const principal = await principalFor(sql, context, method, claims)
    await saveIdentity(sql, domain.id, identity, principal.uuid, now())
    return toAccount(principal)
  })
}

function identityOf({ configuration: { issuer } }: DelegatedMethod, { sub }: Claims): ExternalIdentity {
  if (typeof sub !== 'string' || sub === '') throw refusal('it names no subject (sub)')
  return { issuer, subject: sub }
}

/** By issuer and subject, never by e-mail. Null also where the account is gone. */
async function findKnown(sql: Sql, domainId: number, identity: ExternalIdentity): Promise<Principal | null> {
  const uuid = await fetchIdentity(sql, domainId, identity)
  return uuid === null ? null : findPrincipal(sql, domainId, ACCOUNT_TYPES, uuid)
}

async function principalFor(
  sql: Sql,
  context: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
): Promise<Principal> {
  const { domain } = context
  const email = verifiedEmail(claims)
  const holder = email === null ? null : await findPrincipalByKey(sql, domain.id, keyOfLogin('person', email))
  if (holder !== null && (await mayLink(sql, context, method, holder))) return holder
  const isFree = email !== null && holder === null
  return makePerson(sql, context, isFree ? email : inventedEmail(identityOf(method, claims)), nameIn(claims))
}

/**
 * A provider that is trusted with addresses binds its users to those of the model. Who is only here because another
 * provider has told about them may not be who has that address: their account is not shared.
 */
async function mayLink(
  sql: Sql,
  { domain }: AccessContext,
  { configuration: { linksVerifiedEmail, issuer } }: DelegatedMethod,
  { uuid, isOfModel }: Principal,
): Promise<boolean> {
  if (!linksVerifiedEmail || isOfModel) return linksVerifiedEmail
  const identities = await fetchIdentitiesOf(sql, domain.id, [uuid])
  return identities.every((identity) => identity.issuer === issuer)
}

async function makePerson(
  sql: Sql,
  { domain, newId, now }: AccessContext,
  email: string,
  name: string | null,
): Promise<Principal> {
  const key = keyOfLogin('person', email)
  const body = { email, name, status: 'ACTIVATED' }
  await insertPlatformRecord(sql, domain.id, { ...key, uuid: newId(), body, hash: null, createdAt: now() })
  // One that is there already under an invented address is of the same identity.
  const made = await findPrincipalByKey(sql, domain.id, key)
  if (made === null) throw new Error('a person who was just made is not there')
  return made
}

/** An address that only they can have, and that leads nowhere (RFC 2606, section 2). */
function inventedEmail({ issuer, subject }: ExternalIdentity): string {
  return `${hash('sha256', `${issuer}\n${subject}`, 'hex').slice(0, 24)}@${new URL(issuer).hostname}.invalid`
}

function verifiedEmail({ email, email_verified: isVerified }: Claims): string | null {
  if (isVerified !== true || typeof email !== 'string' || email.length > 254) return null
  const isAddress = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(email) && !/\.invalid$/i.test(email)
  return isAddress ? email.toLowerCase() : null
}

const MOST_OF_NAME = 200

function nameIn({ name, preferred_username: otherName }: Claims): string | null {
  const text = [name, otherName].find((one): one is string => typeof one === 'string' && one.trim() !== '')
  if (text === undefined) return null
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MOST_OF_NAME)
}
