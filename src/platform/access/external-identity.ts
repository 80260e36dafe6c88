import type { Claims } from '../../auth/federation-rules.ts'
import type { Sql } from '../../db/sql.ts'
import { readDomain, writeAccess, writeDomain } from '../../store/domains.ts'
import {
  deletePlatformAccounts,
  fetchAbandoned,
  loosenIdentity,
  revokeIdentities,
} from '../../store/ended-identities.ts'
import {
  bindIdentity,
  fetchIdentity,
  noteSighting,
  type KnownIdentity,
  type Sighting,
} from '../../store/external-identities.ts'
import { findPrincipal, type Principal } from '../../store/principals.ts'
import type { AccessContext } from './access-context.ts'
import type { Account } from './account.ts'
import { ACCOUNT_TYPES, toAccount } from './accounts.ts'
import { admit } from './admission.ts'
import { decide, isStill } from './identity-decision.ts'
import { IdentityRefusal } from './refusal.ts'
import { notingRefusals } from './refused-identities.ts'
import { findHolder, personFor } from './shadow-person.ts'
import { nameIn, sightingOf } from './told-identity.ts'
import type { DelegatedMethod } from './method.ts'

/** Who an identity of another provider is here. */
export interface MetPerson {
  /** ACTIVATED. */
  readonly account: Account
  /** The uuid of the identity: what comes in by it ends with it. */
  readonly identity: string
}

/**
 * The person whom another provider has told about; made on first sight (specification, section 5). The claims must have
 * been checked. Fails as UNAUTHENTICATED where they are not let in.
 */
export function personOfIdentity(context: AccessContext, method: DelegatedMethod, claims: Claims): Promise<MetPerson> {
  return notingRefusals(context, method, claims, async () => {
    const { machineUser, rule } = admit(method, claims)
    if (machineUser === null) return meetPerson(context, method, claims)
    const detail = `the rule ${JSON.stringify(rule)} stands for a machine user, and people do not sign in as one`
    throw new IdentityRefusal('not-for-people', detail)
  })
}

/** For claims that were admitted as a person's. */
export async function meetPerson(context: AccessContext, method: DelegatedMethod, claims: Claims): Promise<MetPerson> {
  const sighting = sightingOf(method, claims, context.now())
  const again = await meetAgain(context, method, sighting)
  if (again !== null) return again
  // Under the domain's lock: a record of the same key cannot come in between.
  const met = await writeDomain(context.database, context.domain.id, (sql) =>
    meet(sql, context, method, { sighting, name: nameIn(claims) }),
  )
  if (met instanceof IdentityRefusal) throw met
  return met
}

/**
 * One that is known, and whose address is the one that was compared with the users of the model: whoever adds a user with
 * that address ends the identity. Null where more has to be looked at.
 */
async function meetAgain(
  { database, domain }: AccessContext,
  method: DelegatedMethod,
  sighting: Sighting,
): Promise<MetPerson | null> {
  const found = await readDomain(database, domain.id, (sql) => findBound(sql, domain.id, sighting))
  if (found === null || !isStill(method, found.bound)) return null
  const { known, bound } = found
  if (sighting.address !== null && sighting.address !== known.address) return null
  const isBound = await writeAccess(database, domain.id, (sql) => noteSighting(sql, domain.id, sighting, known))
  return isBound ? { account: toAccount(bound), identity: known.uuid } : null
}

async function findBound(
  sql: Sql,
  domainId: number,
  sighting: Sighting,
): Promise<{ known: KnownIdentity; bound: Principal } | null> {
  const known = await fetchIdentity(sql, domainId, sighting)
  if (known?.accountUuid == null) return null
  const bound = await findPrincipal(sql, domainId, ACCOUNT_TYPES, known.accountUuid)
  return bound === null ? null : { known, bound }
}

async function meet(
  sql: Sql,
  context: AccessContext,
  method: DelegatedMethod,
  told: { readonly sighting: Sighting; readonly name: string | null },
): Promise<MetPerson | IdentityRefusal> {
  const { id } = context.domain
  const { sighting } = told
  const found = await findBound(sql, id, sighting)
  const holder = sighting.address === null ? null : await findHolder(sql, id, sighting.address)
  const user = holder?.isOfModel === true ? holder : null
  const decision = decide(method, { bound: found?.bound ?? null, user })
  if ('refused' in decision) {
    if (decision.isLoose && found !== null) await loosen(sql, id, found.known)
    return decision.refused
  }
  const principal = decision.principal ?? (await personFor(sql, context, method, told))
  const binding = { uuid: context.newId(), accountUuid: principal.uuid }
  const identity = await bindIdentity(sql, id, sighting, binding)
  if (found !== null && found.bound.uuid !== principal.uuid) await leave(sql, id, found.known)
  return { account: toAccount(principal), identity }
}

async function loosen(sql: Sql, domainId: number, known: KnownIdentity): Promise<void> {
  await loosenIdentity(sql, domainId, known)
  await leave(sql, domainId, known)
}

/** What it was before counts no more, and is not kept where nobody else has it. */
async function leave(sql: Sql, domainId: number, known: KnownIdentity): Promise<void> {
  await revokeIdentities(sql, domainId, [known])
  const accounts = known.accountUuid === null ? [] : [known.accountUuid]
  await deletePlatformAccounts(sql, domainId, await fetchAbandoned(sql, domainId, accounts))
}
