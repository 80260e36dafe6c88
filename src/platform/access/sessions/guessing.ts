import { createHmac } from 'node:crypto'
import type { Sql } from '../../../db/sql.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import { countFailure, fetchWait, uncountFailure, type FailureCount } from '../../../store/access/sign-in-failures.ts'
import { isKnownPlace, savePlace } from '../../../store/access/sign-in-places.ts'
import type { AccessContext } from '../access-context.ts'

// Guessing is slowed down over all processes: by account, by network, by application. An attempt is counted as failed
// before it is looked at, so that a hundred at once are not let through as one. What the owner does from a browser or
// network where the account signed in before is counted apart, so strangers cannot lock anybody out. A name that nobody
// has is counted like any other.

/** Who tries, from where. */
export interface Guess {
  readonly of: 'password' | 'client secret'
  /** The login or client_id, in one spelling. */
  readonly name: string
  /** One household or machine. */
  readonly network: string
  /** One customer of an internet provider at most. */
  readonly wideNetwork: string
}

type Rule = Omit<FailureCount, 'kind' | 'slot'>

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A stranger's: some forty guesses on one account on the first day, and 24 on each one after it. */
const ACCOUNT: Rule = { free: 10, firstWaitSeconds: 30, longestWaitSeconds: HOUR, forgetSeconds: 2 * DAY }
/** The same account where it has signed in before: somebody who has forgotten, and their neighbours. */
const KNOWN: Rule = { free: 50, firstWaitSeconds: 1, longestWaitSeconds: 10 * MINUTE, forgetSeconds: DAY }
/** One network with any accounts: one password tried on everybody. */
const NETWORK: Rule = { free: 100, firstWaitSeconds: 1, longestWaitSeconds: MINUTE, forgetSeconds: HOUR }

/** So many counts of one kind there are in a domain at most; two names share one with a chance of one in as many. */
const SLOTS = 2 ** 22

const PLACE_DAYS = 90
const MOST_PLACES = 20

/** For how many seconds nothing is looked at; 0: it was counted as failed, and may be looked at. */
export async function countAttempt(access: AccessContext, guess: Guess): Promise<number> {
  const counts = countsOf(access, guess)
  return write(access, (sql, domainId) => countAll(sql, domainId, counts)).catch((error: unknown) => {
    if (error instanceof Closed) return error.seconds
    throw error
  })
}

/** How long that would be, without counting anything. */
export async function waitFor(access: AccessContext, guess: Guess): Promise<number> {
  const { database, domain } = access
  const waits = await readDomain(database, domain.id, async (sql) => {
    const found: number[] = []
    for (const count of countsOf(access, guess)) found.push(await fetchWait(sql, domain.id, count))
    return found
  })
  return Math.ceil(Math.max(...waits))
}

/** The same from where the account is known; `countKnownFailure` counts. */
export async function waitOfKnown(access: AccessContext, guess: Guess): Promise<number> {
  const count = knownCount(access, guess)
  const { database, domain } = access
  return Math.ceil(await readDomain(database, domain.id, (sql) => fetchWait(sql, domain.id, count)))
}

export async function countKnownFailure(access: AccessContext, guess: Guess): Promise<void> {
  await write(access, (sql, domainId) => countFailure(sql, domainId, knownCount(access, guess)))
}

/** What was counted before is given back, and the place is known from now on. */
export async function noteSuccess(
  access: AccessContext,
  guess: Guess,
  { isKnown }: { isKnown: boolean },
): Promise<void> {
  // A client secret is counted after it was wrong, so of its network there is nothing to give back.
  const counts = isKnown
    ? []
    : countsOf(access, guess).filter(({ kind }) => kind === guess.of || guess.of === 'password')
  await write(access, async (sql, domainId) => {
    for (const count of counts) await uncountFailure(sql, domainId, count, { wholly: count.kind !== 'network' })
    await savePlace(sql, domainId, placeOf(access, guess), { days: PLACE_DAYS, most: MOST_PLACES })
  })
}

/** Whether it comes from where the account has signed in before. */
export async function comesFromKnownPlace(access: AccessContext, guess: Guess): Promise<boolean> {
  const { account, place } = placeOf(access, guess)
  const { database, domain } = access
  return readDomain(database, domain.id, (sql) => isKnownPlace(sql, domain.id, account, place))
}

/** Thrown to undo what has been counted before it. */
class Closed extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super('no attempt is looked at now')
    this.seconds = Math.max(1, Math.ceil(seconds))
  }
}

/** In one order, so that two who count the same do not wait for each other. */
async function countAll(sql: Sql, domainId: number, counts: readonly FailureCount[]): Promise<number> {
  for (const count of counts) {
    if (!(await countFailure(sql, domainId, count))) throw new Closed(await fetchWait(sql, domainId, count))
  }
  return 0
}

/**
 * Of a password by account. Of a client secret by application and network: its client_id is public, so whoever wanted to
 * could keep its next server out; and it is a random one, which nobody finds from however many networks.
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

function placeOf({ key }: AccessContext, { of, name, network }: Guess) {
  return {
    account: new Uint8Array(mac(key, 'account', JSON.stringify([of, name]))),
    place: new Uint8Array(mac(key, 'place', JSON.stringify([of, name, network]))),
  }
}

/** Nobody without the key can choose names that share one. */
function slotOf(key: AccessContext['key'], kind: string, text: string): number {
  return mac(key, kind, text).readUInt32BE() % SLOTS
}

function mac(key: AccessContext['key'], purpose: string, text: string): Buffer {
  return createHmac('sha256', key.derive('holdfast sign-in failures')).update(`${purpose}\n${text}`).digest()
}

function write<T>({ database, domain }: AccessContext, work: (sql: Sql, domainId: number) => Promise<T>): Promise<T> {
  return writeAccess(database, domain.id, (sql) => work(sql, domain.id))
}
