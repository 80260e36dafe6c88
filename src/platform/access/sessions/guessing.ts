import { createHmac } from 'node:crypto'
import type { Sql } from '../../../db/sql.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import {
  countFailure,
  fetchWait,
  uncountFailure,
  type FailureCount,
  deletePlaces,
  isKnownPlace,
  savePlace,
} from '../../../store/access/sign-in-failures.ts'
import type { AccessContext } from '../access-context.ts'

// Guessing is slowed down across all processes: by account, by network and by application. An attempt counts as failed
// before it is checked. Otherwise a hundred attempts at once would count as one. Attempts from a browser or network
// where the account signed in before are the owner's and are counted separately, so that strangers cannot lock anyone
// out. A login that does not exist is counted like any other.

/** An attempt to guess, and its origin. */
export interface Guess {
  readonly of: 'password' | 'client secret'
  /** The login or client_id in its normal form. */
  readonly name: string
  /** The network of one household or machine. */
  readonly network: string
  /** The network of at most one customer of an internet provider. */
  readonly wideNetwork: string
}

type Rule = Omit<FailureCount, 'kind' | 'slot'>

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Attempts of strangers: about forty on one account on the first day, and 24 on each day after it. */
const ACCOUNT: Rule = { free: 10, firstWaitSeconds: 30, longestWaitSeconds: HOUR, forgetSeconds: 2 * DAY }
/** Attempts where the account has signed in before, by owners who forgot their password or by their neighbours. */
const KNOWN: Rule = { free: 50, firstWaitSeconds: 1, longestWaitSeconds: 10 * MINUTE, forgetSeconds: DAY }
/** Attempts of one network on any accounts, for example one password tried on everyone. */
const NETWORK: Rule = { free: 100, firstWaitSeconds: 1, longestWaitSeconds: MINUTE, forgetSeconds: HOUR }

/**
 * The maximum number of counters of one kind in a domain. Two names share a counter with a chance of one in 4 million.
 */
const SLOTS = 2 ** 22

const PLACE_DAYS = 90
const MOST_PLACES = 20

/** The time for which no attempt is checked: of one account, or of all unknown accounts in a network. */
export interface Wait {
  readonly seconds: number
  readonly isOfNetwork: boolean
}

/** Counts an attempt as failed. The wait is 0 seconds if the attempt may be checked. */
export async function countAttempt(access: AccessContext, guess: Guess): Promise<Wait> {
  const counts = countsOf(access, guess)
  return write(access, (sql, domainId) => countAll(sql, domainId, counts)).catch((error: unknown) => {
    if (error instanceof Closed) return error.wait
    throw error
  })
}

/** The seconds to wait. Nothing is counted. */
export async function waitFor(access: AccessContext, guess: Guess): Promise<number> {
  const { database, domain } = access
  const waits = await readDomain(database, domain.id, async (sql) => {
    const found: number[] = []
    for (const count of countsOf(access, guess)) found.push(await fetchWait(sql, domain.id, count))
    return found
  })
  return Math.ceil(Math.max(...waits))
}

/** The seconds to wait if the account is known from this place; `countKnownFailure` counts those attempts. */
export async function waitOfKnown(access: AccessContext, guess: Guess): Promise<number> {
  const count = knownCount(access, guess)
  const { database, domain } = access
  return Math.ceil(await readDomain(database, domain.id, (sql) => fetchWait(sql, domain.id, count)))
}

export async function countKnownFailure(access: AccessContext, guess: Guess): Promise<void> {
  await write(access, (sql, domainId) => countFailure(sql, domainId, knownCount(access, guess)))
}

/** Reverts the count of a successful attempt, and remembers its place. */
export async function noteSuccess(
  access: AccessContext,
  guess: Guess,
  { isKnown }: { isKnown: boolean },
): Promise<void> {
  // A client secret is counted only after it was wrong, so its network has no count to revert.
  const counts = isKnown
    ? []
    : countsOf(access, guess).filter(({ kind }) => kind === guess.of || guess.of === 'password')
  await write(access, async (sql, domainId) => {
    for (const count of counts) await uncountFailure(sql, domainId, count, { wholly: count.kind !== 'network' })
    await savePlace(sql, domainId, placeOf(access, guess), { days: PLACE_DAYS, most: MOST_PLACES })
  })
}

/** Tells whether an attempt comes from a place where the account has signed in before. */
export async function comesFromKnownPlace(access: AccessContext, guess: Guess): Promise<boolean> {
  const { account, place } = placeOf(access, guess)
  const { database, domain } = access
  return readDomain(database, domain.id, (sql) => isKnownPlace(sql, domain.id, account, place))
}

/** The normal form of a login, because another spelling must not allow more attempts. */
export function guessedName(login: string): string {
  return login.normalize('NFKC').trim().toLowerCase()
}

/** Forgets where accounts have signed in. From now on, somebody who knew an old password is a stranger. */
export async function forgetPlacesOf(
  sql: Sql,
  access: Pick<AccessContext, 'domain' | 'key'>,
  logins: readonly string[],
): Promise<void> {
  if (logins.length === 0) return
  const places = logins.map((login) => placeOf(access, { of: 'password', name: guessedName(login), network: '' }))
  await deletePlaces(
    sql,
    access.domain.id,
    places.map(({ account }) => account),
  )
}

/** Thrown to roll back the counts of the same transaction. */
class Closed extends Error {
  readonly wait: Wait
  constructor(kind: string, seconds: number) {
    super('no attempt is checked now')
    this.wait = { seconds: Math.max(1, Math.ceil(seconds)), isOfNetwork: kind === 'network' }
  }
}

/** Counts in a fixed order, so that two transactions with the same counters do not deadlock. */
async function countAll(sql: Sql, domainId: number, counts: readonly FailureCount[]): Promise<Wait> {
  for (const count of counts) {
    if (!(await countFailure(sql, domainId, count))) throw new Closed(count.kind, await fetchWait(sql, domainId, count))
  }
  return { seconds: 0, isOfNetwork: false }
}

/**
 * The counters of an attempt. A password is counted by account. A client secret is counted by application and network,
 * because client_ids are public and otherwise anyone could lock out an application. A random secret cannot be guessed,
 * not even from many networks.
 */
function countsOf({ key }: AccessContext, { of, name, wideNetwork }: Guess): readonly FailureCount[] {
  const counted = of === 'password' ? name : JSON.stringify([name, wideNetwork])
  return [
    { kind: of, slot: slotOf(key, of, counted), ...ACCOUNT },
    { kind: 'network', slot: slotOf(key, 'network', wideNetwork), ...NETWORK },
  ]
}

function knownCount({ key }: AccessContext, { of, name, network }: Guess): FailureCount {
  return { kind: 'known', slot: slotOf(key, 'known', JSON.stringify([of, name, network])), ...KNOWN }
}

function placeOf({ key }: Pick<AccessContext, 'key'>, { of, name, network }: Omit<Guess, 'wideNetwork'>) {
  return {
    account: new Uint8Array(mac(key, 'account', JSON.stringify([of, name]))),
    place: new Uint8Array(mac(key, 'place', JSON.stringify([of, name, network]))),
  }
}

/** The counter of a name. The key prevents attackers from choosing names that share a counter. */
function slotOf(key: AccessContext['key'], kind: string, text: string): number {
  return mac(key, kind, text).readUInt32BE() % SLOTS
}

function mac(key: AccessContext['key'], purpose: string, text: string): Buffer {
  return createHmac('sha256', key.derive('holdfast sign-in failures')).update(`${purpose}\n${text}`).digest()
}

function write<T>({ database, domain }: AccessContext, work: (sql: Sql, domainId: number) => Promise<T>): Promise<T> {
  return writeAccess(database, domain.id, (sql) => work(sql, domain.id))
}
