import type { Claims } from '../../../../auth/federation-rules.ts'
import type { Sql } from '../../../../db/sql.ts'
import { raiseAccessVersion, readDomain, writeAccess, writeDomain } from '../../../../store/domains.ts'
import { deletePlatformAccounts, fetchAbandoned, loosenIdentities } from '../../../../store/access/ended-identities.ts'
import {
  bindIdentity,
  fetchIdentity,
  noteSighting,
  type KnownIdentity,
  type Sighting,
} from '../../../../store/access/external-identities.ts'
import { findPrincipal, type Principal } from '../../../../store/access/principals.ts'
import type { AccessContext } from '../../access-context.ts'
import type { Account } from '../../accounts/account.ts'
import { ACCOUNT_TYPES, toAccount } from '../../accounts/accounts.ts'
import { admit } from './admission.ts'
import { SKEW_SECONDS } from '../provider/provider-claims.ts'
import { decide, isStill } from './identity-decision.ts'
import { IdentityRefusal } from '../refusal.ts'
import { notingRefusals } from './refused-identities.ts'
import { findHolder, personFor } from './shadow-person.ts'
import { nameIn, sightingOf } from './told-identity.ts'
import type { DelegatedMethod } from '../../methods/method.ts'

/** The account of an identity of another provider. */
export interface MetPerson {
  /** The account, which is ACTIVATED. */
  readonly account: Account
  /** The uuid of the identity. Everything that comes in by the identity ends with it. */
  readonly identity: string
}

/**
 * Finds the person of another provider's claims, or creates one on first sight (specification, section 5). The claims
 * must have been checked. It fails as UNAUTHENTICATED where the person is not let in.
 */
export function personOfIdentity(context: AccessContext, method: DelegatedMethod, claims: Claims): Promise<MetPerson> {
  return notingRefusals(context, method, claims, async () => {
    const { machineUser, rule } = admit(method, claims)
    if (machineUser === null) return meetPerson(context, method, claims)
    const detail = `the rule ${JSON.stringify(rule)} stands for a machine user, and people do not sign in as one`
    throw new IdentityRefusal('not-for-people', detail)
  })
}

/**
 * Finds the person for claims that were admitted as those of a person. `issuedAt` is the time of a token that may
 * have been used before; null where the token was issued for this very sign-in.
 */
export async function meetPerson(
  context: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
  issuedAt: Date | null = null,
): Promise<MetPerson> {
  const told = { sighting: sightingOf(method, claims, context.now()), issuedAt, name: nameIn(claims) }
  const again = await meetAgain(context, method, told)
  if (again !== null) return again
  // The domain's lock makes sure that no record of the same key is created at the same time.
  const met = await writeDomain(context.database, context.domain.id, (sql) => meet(sql, context, method, told))
  if (met instanceof IdentityRefusal) throw met
  return met
}

/** What a sign-in tells about a person. */
interface Told {
  readonly sighting: Sighting
  readonly issuedAt: Date | null
  readonly name: string | null
}

/**
 * Finds a known identity whose address has not changed since it was compared with the users of the model. Adding a
 * user with that address ends the identity, so no further check is needed. Null where more has to be checked.
 */
async function meetAgain(
  { database, domain }: AccessContext,
  method: DelegatedMethod,
  { sighting, issuedAt }: Told,
): Promise<MetPerson | null> {
  const { known, bound } = await readDomain(database, domain.id, (sql) => findKnown(sql, domain.id, sighting))
  if (known === null || bound === null || !isStill(method, bound) || isOver(known, issuedAt)) return null
  if (sighting.address !== null && sighting.address !== known.address) return null
  const isBound = await writeAccess(database, domain.id, (sql) => noteSighting(sql, domain.id, sighting, known))
  return isBound ? { account: toAccount(bound), identity: known.uuid } : null
}

interface Known {
  readonly known: KnownIdentity | null
  /** Null also where the account no longer exists. */
  readonly bound: Principal | null
}

/** Finds an identity by issuer and subject, never by e-mail address. */
async function findKnown(sql: Sql, domainId: number, sighting: Sighting): Promise<Known> {
  const known = await fetchIdentity(sql, domainId, sighting)
  const account = known?.accountUuid ?? null
  return { known, bound: account === null ? null : await findPrincipal(sql, domainId, ACCOUNT_TYPES, account) }
}

/**
 * Tells whether a token is older than the unbinding of its identity, with a tolerance for clocks. Such a token is no
 * new sign-in.
 */
function isOver({ unboundAt }: KnownIdentity, issuedAt: Date | null): boolean {
  if (unboundAt === null || issuedAt === null) return false
  return issuedAt.getTime() <= unboundAt.getTime() + SKEW_SECONDS * 1_000
}

async function meet(
  sql: Sql,
  context: AccessContext,
  method: DelegatedMethod,
  told: Told,
): Promise<MetPerson | IdentityRefusal> {
  const { id } = context.domain
  const { sighting, issuedAt } = told
  const { known, bound } = await findKnown(sql, id, sighting)
  if (known !== null && isOver(known, issuedAt))
    return new IdentityRefusal('unbound', 'it was issued before the identity was unbound, or within a minute after')
  const holder = sighting.address === null ? null : await findHolder(sql, id, sighting.address)
  const decision = decide(method, { bound, user: holder?.isOfModel === true ? holder : null })
  if ('refused' in decision) {
    if (decision.isLoose && known !== null) await leave(sql, id, known)
    return decision.refused
  }
  const principal = decision.principal ?? (await personFor(sql, context, method, told))
  const binding = { uuid: context.newId(), accountUuid: principal.uuid }
  if (known !== null && known.accountUuid !== principal.uuid) await leave(sql, id, known)
  return { account: toAccount(principal), identity: await bindIdentity(sql, id, sighting, binding) }
}

/** Unbinds an identity, and deletes its account where no other identity uses it. */
async function leave(sql: Sql, domainId: number, known: KnownIdentity): Promise<void> {
  if (known.accountUuid === null) return
  await loosenIdentities(sql, domainId, [known])
  await deletePlatformAccounts(sql, domainId, await fetchAbandoned(sql, domainId, [known.accountUuid]))
  await raiseAccessVersion(sql, domainId)
}
