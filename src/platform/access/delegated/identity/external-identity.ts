import type { Claims } from '../../../../auth/token-rules.ts'
import type { Sql } from '../../../../db/sql.ts'
import { raiseAccessVersion, readDomain, writeAccess, writeDomain } from '../../../../store/domains.ts'
import {
  deletePlatformAccounts,
  endAll,
  fetchAbandoned,
  loosenIdentities,
} from '../../../../store/access/ended-identities.ts'
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
import { admit, type Admission, type LetInWith } from './admit-by-rules.ts'
import { endSignIns, keepSignIn } from './browser-sign-in.ts'
import { SKEW_SECONDS } from '../provider/provider-claims.ts'
import { decide, userAmong, type Decision } from './identity-decision.ts'
import { IdentityRefusal } from '../refusal.ts'
import { notingRefusals } from './refused-identities.ts'
import { fetchRivals } from './rivals.ts'
import { findHolder, personFor } from './shadow-person.ts'
import { nameIn, sightingOf } from './told-identity.ts'
import type { DelegatedMethod } from '../../methods/method.ts'

/** The account of an identity of another provider. */
export interface MetPerson {
  /** The account, which is ACTIVATED. */
  readonly account: Account
  /** The uuid of the identity. Everything issued to the identity ends with it. */
  readonly identity: string
  /**
   * Whether the person is a user of the model, or the provider has ever verified an address of theirs, which was
   * compared with the users of the model. Anyone else gets only `me` by claims alone (`letIn`).
   */
  readonly isVouched: boolean
}

/**
 * Finds the person for the claims of another provider, or creates one on first sight (specification, section 5). The
 * claims must have been checked. It fails as UNAUTHENTICATED if the person is not let in.
 */
export function personOfIdentity(
  context: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
): Promise<MetPerson & Pick<LetInWith, 'rule'>> {
  return notingRefusals(context, method, claims, async () => {
    const admission = await admitPerson(context, method, claims)
    const met = await meetPerson(context, method, claims)
    return { ...met, rule: await keepSignIn(context, method, { ...met, admission }, claims) }
  })
}

/** Applies the rules of the method. If none lets the person in, everything issued under an earlier rule ends. */
async function admitPerson(context: AccessContext, method: DelegatedMethod, claims: Claims): Promise<Admission> {
  try {
    const admission = admit(method, claims)
    if (admission.machineUser === null) return admission
    const name = JSON.stringify(admission.ruleName)
    const detail = `the rule ${name} is for a machine user, and people cannot sign in as one`
    throw new IdentityRefusal('not-for-people', detail)
  } catch (error) {
    await endSignIns(context, method, sightingOf(method, claims, context.now()))
    throw error
  }
}

/**
 * Finds the person for claims that the rules have admitted as the claims of a person. `issuedAt` is the time of issue
 * of a token that may have been used before; null if the token was issued for this very sign-in.
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
  const { database, domain } = context
  const found = await readDomain(database, domain.id, (sql) => whoseIdentity(sql, domain.id, method, told.sighting))
  const refused = plainRefusal(found, issuedAt)
  if (refused !== null) throw refused
  // The domain's lock makes sure that no record of the same key is created at the same time.
  const met = await writeDomain(database, domain.id, (sql) => meet(sql, context, method, told))
  if (met instanceof IdentityRefusal) throw met
  return met
}

/** The facts about a person that a sign-in provides. */
interface Told {
  readonly sighting: Sighting
  readonly issuedAt: Date | null
  readonly name: string | null
}

/**
 * Finds a known identity whose address has not changed since it was compared with the users of the model. Only trust
 * and status are checked again, because adding a user with that address would have ended the identity. Null if more
 * checks are needed.
 */
async function meetAgain(
  { database, domain }: AccessContext,
  method: DelegatedMethod,
  { sighting, issuedAt }: Told,
): Promise<MetPerson | null> {
  const { known, bound, isStill } = await readDomain(database, domain.id, async (sql) => {
    const found = await findKnown(sql, domain.id, sighting)
    const candidates = { bound: found.bound, user: null, isTold: false }
    const rivals = await fetchRivals(sql, domain.id, method, userAmong(candidates))
    return { ...found, isStill: 'principal' in decide(method, { ...candidates, rivals }) }
  })
  if (known === null || bound === null || !isStill || isOver(known, issuedAt)) return null
  if (sighting.address !== null && sighting.address !== known.address) return null
  const isBound = await writeAccess(database, domain.id, (sql) => noteSighting(sql, domain.id, sighting, known))
  return isBound ? metAs(bound, known.uuid, known.address) : null
}

function metAs(principal: Principal, identity: string, address: string | null): MetPerson {
  return { account: toAccount(principal), identity, isVouched: principal.isOfModel || address !== null }
}

interface Known {
  readonly known: KnownIdentity | null
  /** Null also if the account no longer exists. */
  readonly bound: Principal | null
}

/** Finds an identity by issuer and subject, never by e-mail address. */
async function findKnown(sql: Sql, domainId: number, sighting: Sighting): Promise<Known> {
  const known = await fetchIdentity(sql, domainId, sighting)
  const account = known?.accountUuid ?? null
  return { known, bound: account === null ? null : await findPrincipal(sql, domainId, ACCOUNT_TYPES, account) }
}

/** Tells whether a token was issued before its identity was unbound (with a tolerance): it is no new sign-in. */
function isOver({ unboundAt }: KnownIdentity, issuedAt: Date | null): boolean {
  if (unboundAt === null || issuedAt === null) return false
  return issuedAt.getTime() <= unboundAt.getTime() + SKEW_SECONDS * 1_000
}

interface FoundIdentity {
  readonly known: KnownIdentity | null
  /** An address that the provider verifies now, or has verified earlier. */
  readonly address: string | null
  readonly decision: Decision
}

/** Decides whose identity the claims describe, by the known facts. It changes nothing. */
export async function whoseIdentity(
  sql: Sql,
  domainId: number,
  method: DelegatedMethod,
  sighting: Sighting,
): Promise<FoundIdentity> {
  const { known, bound } = await findKnown(sql, domainId, sighting)
  const address = sighting.address ?? known?.address ?? null
  const holder = address === null ? null : await findHolder(sql, domainId, address)
  const candidates = { bound, user: holder?.isOfModel === true ? holder : null, isTold: sighting.address !== null }
  const rivals = await fetchRivals(sql, domainId, method, userAmong(candidates))
  return { known, address, decision: decide(method, { ...candidates, rivals }) }
}

/**
 * The reason to refuse a person, if nothing has to be written; null otherwise. A refused sender thus does not take the
 * lock of the domain with each attempt.
 */
function plainRefusal({ known, decision }: FoundIdentity, issuedAt: Date | null): IdentityRefusal | null {
  if (known !== null && isOver(known, issuedAt))
    return new IdentityRefusal(
      'unbound',
      'it was issued before the identity was unbound or its account was locked out, or within a minute afterwards',
    )
  if (!('refused' in decision)) return null
  const isUnbound = decision.isLoose && known !== null && known.accountUuid !== null
  return isUnbound ? null : decision.refused
}

async function meet(
  sql: Sql,
  context: AccessContext,
  method: DelegatedMethod,
  told: Told,
): Promise<MetPerson | IdentityRefusal> {
  const { id } = context.domain
  const { sighting, issuedAt } = told
  const found = await whoseIdentity(sql, id, method, sighting)
  const refused = plainRefusal(found, issuedAt)
  if (refused !== null) return refused
  const { known, address, decision } = found
  if ('refused' in decision) {
    if (known !== null) await leave(sql, id, known)
    return decision.refused
  }
  const principal = decision.principal ?? (await personFor(sql, context, method, told))
  const binding = { uuid: context.newId(), accountUuid: principal.uuid }
  if (known !== null && known.accountUuid !== principal.uuid) await leave(sql, id, known)
  return metAs(principal, await bindIdentity(sql, id, sighting, binding), address)
}

/** Unbinds an identity, and deletes its account if no other identity uses the account. */
async function leave(sql: Sql, domainId: number, known: KnownIdentity): Promise<void> {
  if (known.accountUuid === null) return
  const loosened = await loosenIdentities(sql, domainId, [known])
  const abandoned = await fetchAbandoned(sql, domainId, [known.accountUuid])
  await endAll(sql, domainId, [...loosened, ...(await deletePlatformAccounts(sql, domainId, abandoned))])
  await raiseAccessVersion(sql, domainId)
}
