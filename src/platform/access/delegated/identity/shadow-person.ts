import { hash } from 'node:crypto'
import { coversAddress } from '../../../../auth/email-domains.ts'
import { spellingsOf } from '../../../../auth/email-address.ts'
import type { Sql } from '../../../../db/sql.ts'
import {
  fetchIdentitiesOf,
  type ExternalIdentity,
  type Sighting,
} from '../../../../store/access/external-identities.ts'
import { insertPlatformRecord } from '../../../../store/access/platform-records.ts'
import { findPrincipalByKey, type Principal } from '../../../../store/access/principals.ts'
import type { AccessContext } from '../../access-context.ts'
import { keyOfLogin } from '../../accounts/accounts.ts'
import type { DelegatedMethod } from '../../methods/method.ts'

// A shadow person is one whom another provider vouches for and the model does not describe.

/** The account that has had this address before, if it belongs to the same person; otherwise a new account. */
export async function personFor(
  sql: Sql,
  context: AccessContext,
  method: DelegatedMethod,
  { sighting, name }: { readonly sighting: Sighting; readonly name: string | null },
): Promise<Principal> {
  const { domain } = context
  const { address } = sighting
  const holder = address === null ? null : await findHolder(sql, domain.id, address)
  if (holder !== null && (await isShared(sql, domain.id, method, { sighting, holder }))) return holder
  const isFree = address !== null && holder === null && IS_PLAIN.test(address)
  return makePerson(sql, context, isFree ? address : inventedEmail(sighting), name)
}

/** Other letters can look like these, so the history does not use an address with other letters as a name. */
const IS_PLAIN = /^[\x21-\x7e]+$/

/** The account with this address in any spelling, whether or not the model describes it. */
export async function findHolder(sql: Sql, domainId: number, address: string): Promise<Principal | null> {
  for (const spelling of spellingsOf(address)) {
    const found = await findPrincipalByKey(sql, domainId, keyOfLogin('person', spelling))
    if (found !== null) return found
  }
  return null
}

/** Tells whether two subjects with one address are the same person. Only a trusted provider makes them so. */
async function isShared(
  sql: Sql,
  domainId: number,
  { configuration }: DelegatedMethod,
  { sighting: { address }, holder }: { readonly sighting: Sighting; readonly holder: Principal },
): Promise<boolean> {
  if (address === null || !coversAddress(configuration, address)) return false
  const identities = await fetchIdentitiesOf(sql, domainId, [holder.uuid])
  const isTheirs = (other: (typeof identities)[number]) =>
    other.issuer === configuration.issuer && other.address === address
  return identities.length > 0 && identities.every(isTheirs)
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
  // An account with this invented address can only belong to the same identity.
  const made = await findPrincipalByKey(sql, domain.id, key)
  if (made === null) throw new Error('a person who was just made is not there')
  return made
}

/** An address that is unique to the identity and leads nowhere (RFC 2606, section 2). */
function inventedEmail({ issuer, subject }: ExternalIdentity): string {
  return `${hash('sha256', `${issuer}\n${subject}`, 'hex').slice(0, 24)}@${new URL(issuer).hostname}.invalid`
}
