import { normalAddress } from '../../../../auth/email-address.ts'
import { coversAddress } from '../../../../auth/email-domains.ts'
import type { Sql } from '../../../../db/sql.ts'
import { splitKey } from '../../../../records/identity.ts'
import type { RecordKey } from '../../../../records/record-type.ts'
import { fetchMethods } from '../../../../store/access/authentication-methods.ts'
import {
  loosenIdentities,
  deletePlatformAccounts,
  fetchAbandoned,
  fetchModelKeys,
  fetchPlatformKeys,
  lockIdentities,
  type Ending,
} from '../../../../store/access/ended-identities.ts'
import type { KnownIdentity } from '../../../../store/access/external-identities.ts'
import type { AccessContext } from '../../access-context.ts'
import { toMethod, type DelegatedMethod } from '../../methods/method.ts'

// A person of the model never inherits sessions and tokens issued under the same address, because the address may have
// belonged to a stranger. Only if emailDomains names the domain is it the same person, who then keeps the same account
// for applications. Without emailDomains, the next sign-in finds the person by the address.

/** A person who is added to the model, or gets another key in it. */
export interface Newcomer extends RecordKey {
  /** The present key; absent for a new person. */
  readonly from?: string
}

/** A newcomer with the accounts that may have the newcomer's identities. */
interface Arrival {
  readonly newcomer: Newcomer
  readonly address: string | null
  /** The account outside of the model that has the key now. */
  readonly shadow: string | null
  /** The record itself, if it has another key now. */
  readonly record: string | null
}

export interface Released {
  /** The newcomers who take over an existing account. The keys of the other newcomers are free. */
  readonly heirs: readonly Newcomer[]
  /** The caller ends these at the end of its transaction (`endAll`). */
  readonly endings: readonly Ending[]
}

/** Unbinds the identities that cannot belong to the newcomers. Everything issued to these identities ends. */
export async function releaseIdentities(
  sql: Sql,
  { domain }: AccessContext,
  newcomers: readonly Newcomer[],
): Promise<Released> {
  if (newcomers.length === 0) return { heirs: [], endings: [] }
  const arrivals = await arrivalsOf(sql, domain.id, newcomers)
  const methods = await delegatedMethods(sql, domain.id)
  const found = await lockIdentities(sql, domain.id, addressesOf(arrivals), accountsOf(arrivals))
  const byAccount = Map.groupBy(found, ({ accountUuid }) => accountUuid)
  const kept = new Map(
    arrivals.map((arrival) => {
      const account = arrival.record ?? arrival.shadow
      const theirs = account === null ? [] : (byAccount.get(account) ?? [])
      return [arrival, keptFor(arrival, theirs, trustedFor(methods, arrival.address))]
    }),
  )
  const staying = new Set([...kept.values()].flat())
  const ended = found.filter((identity) => !staying.has(identity))
  const loosened = await loosenIdentities(sql, domain.id, ended)
  const { heirs = [], others = [] } = Object.groupBy(arrivals, (arrival) =>
    arrival.record === null && kept.get(arrival)?.length !== 0 ? 'heirs' : 'others',
  )
  const removed = await removeShadows(sql, domain.id, { arrivals: others, ended })
  return {
    heirs: heirs.map(({ newcomer }) => newcomer),
    endings: [...loosened, ...removed, ...untrusted(heirs, methods)],
  }
}

async function arrivalsOf(sql: Sql, domainId: number, newcomers: readonly Newcomer[]): Promise<readonly Arrival[]> {
  const shadows = byKey(await fetchPlatformKeys(sql, domainId, newcomers))
  const moved = newcomers.flatMap(({ type, from }) => (from === undefined ? [] : [{ type, key: from }]))
  const records = byKey(moved.length === 0 ? [] : await fetchModelKeys(sql, domainId, moved))
  return newcomers.map((newcomer) => ({
    newcomer,
    address: normalAddress(splitKey(newcomer.key)[0] ?? ''),
    shadow: shadows.get(newcomer.key) ?? null,
    record: newcomer.from === undefined ? null : (records.get(newcomer.from) ?? null),
  }))
}

/** The uuids by key. All rows are of the record type of persons. */
function byKey(rows: readonly (RecordKey & { readonly uuid: string })[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ key, uuid }) => [key, uuid]))
}

async function delegatedMethods(sql: Sql, domainId: number): Promise<readonly DelegatedMethod[]> {
  const methods = (await fetchMethods(sql, domainId)).map(toMethod)
  return methods.filter((method): method is DelegatedMethod => method.kind === 'openid-delegated')
}

/** The uuids of the methods whose emailDomains has the domain of this address. */
function trustedFor(methods: readonly DelegatedMethod[], address: string | null): ReadonlySet<string> {
  const trusted = methods.filter(({ configuration }) => address !== null && coversAddress(configuration, address))
  return new Set(trusted.map(({ uuid }) => uuid))
}

function addressesOf(arrivals: readonly Arrival[]): string[] {
  return arrivals.flatMap(({ address }) => address ?? [])
}

function accountsOf(arrivals: readonly Arrival[]): string[] {
  return arrivals.flatMap(({ shadow, record }) => [shadow, record].filter((uuid) => uuid !== null))
}

/**
 * The identities that a newcomer keeps. A record with a changed key keeps those that may belong to its new address. A
 * new person takes over an account with all its identities, or none.
 */
function keptFor(
  { address, record }: Arrival,
  identities: readonly KnownIdentity[],
  trusted: ReadonlySet<string>,
): readonly KnownIdentity[] {
  const kept = identities.filter(({ methodUuid, address: told }) => {
    return methodUuid !== null && trusted.has(methodUuid) && (record !== null || told === address)
  })
  return record !== null || kept.length === identities.length ? kept : []
}

interface Removal {
  /** The newcomers whose keys must be free. */
  readonly arrivals: readonly Arrival[]
  readonly ended: readonly KnownIdentity[]
}

async function removeShadows(sql: Sql, domainId: number, { arrivals, ended }: Removal): Promise<readonly Ending[]> {
  const abandoned = await fetchAbandoned(
    sql,
    domainId,
    ended.flatMap(({ accountUuid }) => accountUuid ?? []),
  )
  const replaced = arrivals.flatMap(({ shadow }) => shadow ?? [])
  return deletePlatformAccounts(sql, domainId, [...new Set([...abandoned, ...replaced])])
}

/** The sessions and tokens that the newcomers' accounts got by methods that are not trusted for their address. */
function untrusted(heirs: readonly Arrival[], methods: readonly DelegatedMethod[]): readonly Ending[] {
  return heirs.flatMap(({ shadow, address }) => {
    const trusted = trustedFor(methods, address)
    const others = methods.filter(({ uuid }) => shadow !== null && !trusted.has(uuid))
    return others.map(({ uuid }) => ({ accountUuid: shadow ?? '', what: uuid }))
  })
}
