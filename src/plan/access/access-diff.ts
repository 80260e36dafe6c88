import { counted } from '../../lib/counted.ts'
import { digestOf, type Digest } from '../../lib/digest.ts'
import { plainText } from '../../lib/visible-text.ts'
import { splitKey } from '../../records/identity.ts'
import { ACCESS } from '../../records/record-type.ts'
import { typeThatSignsIn, PERSON_TYPES } from '../../records/registry.ts'
import { gainedPowers } from '../../records/types/client-powers.ts'
import { UNIT, grantOf } from '../../records/types/granted.ts'
import type { Draft } from '../compare/draft-changes.ts'
import type { KeyedDigest } from '../keyed-digests.ts'
import type { LiveRecord, LiveState, MachineRule, LiveIndex } from '../live-state.ts'
import { isReplaced, type AccessDiff, type AccessDifference } from '../plan.ts'
import { accountDifferences } from './account-differences.ts'
import { accountsAcross, accountsNamed, isAccount, isActive } from './accounts-across.ts'
import { newSecret, type Difference } from './difference.ts'
import type { Grants } from './grants-after.ts'
import { groupDifferences } from './group-differences.ts'
import { RoleCauses } from './role-causes.ts'
import { UnitMoves } from './unit-moves.ts'
import { recordId } from '../../records/record-id.ts'
import { isDefaultAccess } from '../../records/types/grant.ts'

// The access graph says who can do what. It has accounts, applications, groups of people, and identities of other
// providers. It also has the means that control them: an address, a password, a secret, a redirect URI, a rule of a
// provider, a status. The access diff compares the graph before a plan with the graph after it.

/** The data of the platform that the access diff of a plan needs. */
interface AccessReading {
  readonly accounts: readonly LiveRecord[]
  readonly rules: readonly MachineRule[]
  /** The systems that have changed accounts as their devices, by the keys of the accounts before and after. */
  readonly devices: ReadonlyMap<string, string>
}

export const NOTHING_READ: AccessReading = { accounts: [], rules: [], devices: new Map() }

/** Tells whether any change may concern access. Most plans have none, and then no grant is read. */
export function mayChangeAccess(drafts: readonly Draft[]): boolean {
  return drafts.some((draft) => draft.type === ACCESS || isAccount(draft) || isMovedUnit(draft) || isClient(draft))
}

/** Reads the accounts that the plan does not change as well if grants or units change. */
export async function readAccess(
  drafts: readonly Draft[],
  grants: Grants,
  live: Pick<LiveState, 'records' | 'machineRules' | 'devices'>,
): Promise<AccessReading> {
  const named = drafts.some((draft) => draft.type === ACCESS || isMovedUnit(draft)) ? accountsNamed(drafts, grants) : []
  return {
    accounts: named.length === 0 ? [] : await live.records(named),
    rules: drafts.some(isAccount) ? ((await live.machineRules?.()) ?? []) : [],
    devices: (await live.devices?.(machineKeys(drafts))) ?? new Map(),
  }
}

/** Computes who could do more or less after the changes; null if nobody could. */
export function accessDiff(
  drafts: readonly Draft[],
  grants: Grants,
  { accounts, rules, devices }: AccessReading,
  keyed: KeyedDigest = (digest) => digest,
): AccessDiff | null {
  const units = UnitMoves.in(drafts)
  const undone = units.reversed(drafts.filter(isDeletedUnit).map(({ key }) => key))
  const causes = new RoleCauses(drafts, units)
  const found = [
    ...accountDifferences(accountsAcross(drafts, grants, accounts), { units, undone, causes, rules, devices }),
    ...clientDifferences(drafts),
    ...peopleLetBackIn(drafts, grants),
    ...groupDifferences(grants, units, undone, causes),
  ]
  if (found.length === 0) return null
  const gaining = found.filter(({ gains }) => gains.length > 0)
  return { ...(gaining.length > 0 && { digest: digestOfGains(gaining, keyed) }), changes: brief(found) }
}

function clientDifferences(drafts: readonly Draft[]): Difference[] {
  return drafts.filter(isClient).flatMap((draft): Difference[] => {
    const { type, key, before, after, secret } = draft
    const gains = gainedPowers(before, after, before !== null && isReplaced(secret))
    const loses = gainedPowers(after, before, false)
    if (gains.length === 0 && loses.length === 0) return []
    const text = [
      ...(gains.length > 0 ? [`would get ${gains.join(', ')}`] : []),
      ...(loses.length > 0 ? [`would lose ${loses.join(', ')}`] : []),
    ]
    const who = `the application ${plainText(splitKey(key)[0] ?? '')}`
    const because = [{ type, key }]
    return [{ type, key, who, gains, loses, text: text.join(', and '), because, secret: newSecret(draft) }]
  })
}

/**
 * The digest that an acknowledgement names. It covers who gains what, and the new secrets by their keyed digests, so
 * that an acknowledgement of one secret does not cover another one.
 */
function digestOfGains(gaining: readonly Difference[], keyed: KeyedDigest): Digest {
  return digestOf(
    JSON.stringify(gaining.map(({ type, key, gains, secret }) => [type, key, gains, secret && keyed(secret)]).sort()),
  )
}

/** If more people gain and lose the same for the same reason, the others are only counted. */
const MOST_ALIKE = 20

function brief(found: readonly Difference[]): AccessDifference[] {
  const groups = Map.groupBy(found, ({ type, text }) => `${type} ${text}`)
  return [...groups.values()].flatMap((alike) => {
    const shown = alike.slice(0, MOST_ALIKE).map((one): AccessDifference => shownOf(one, one.key, one.who))
    const [more] = alike.slice(MOST_ALIKE)
    if (more === undefined) return shown
    const count = alike.length - MOST_ALIKE
    return [...shown, { ...shownOf(more, undefined, `${counted(count, 'more', 'more')} of ${more.type}`), count }]
  })
}

function shownOf(
  { type, gains, loses, text, because }: Difference,
  key: string | undefined,
  who: string,
): AccessDifference {
  return {
    type,
    ...(key !== undefined && { key }),
    gains,
    loses,
    because: key === undefined ? [] : because,
    message: `${who} ${text}`,
  }
}

const MACHINE = typeThatSignsIn('machine').name

function machineKeys(drafts: readonly Draft[]): string[] {
  return drafts.flatMap(({ type, key, from = key }) => (type === MACHINE ? [key, from] : []))
}

const CLIENT = typeThatSignsIn('client').name

function isClient({ type }: Pick<Draft, 'type'>): boolean {
  return type === CLIENT
}

function isMovedUnit({ type, action }: Draft): boolean {
  return type === UNIT && action === 'move'
}

function isDeletedUnit({ type, action }: Draft): boolean {
  return type === UNIT && action === 'delete'
}

const PERSON = typeThatSignsIn('person').name
const WAY = 'the grants for identities, no longer kept out by a user who is not ACTIVATED'

/**
 * Finds the people whom a user that is not ACTIVATED keeps out, if the plan deletes that user or changes its address.
 * After that, their provider may vouch for them as for anybody else, so the grants for identities would apply to them.
 */
function peopleLetBackIn(drafts: readonly Draft[], { staying, given }: Grants): Difference[] {
  const after = [...staying.map((grant) => grant.after), ...given]
  if (!after.some((body) => grantOf(body).identities !== undefined)) return []
  const people = drafts.filter(({ type }) => type === PERSON)
  const kept = new Set(people.filter((draft) => draft.after !== null).map(recordId))
  return people.flatMap((draft): Difference[] => {
    const { type, key, from = key, before } = draft
    if (before === null || isActive(before) || kept.has(recordId({ type, key: from }))) return []
    return [
      {
        type,
        key: from,
        who: plainText(splitKey(from)[0] ?? ''),
        gains: [WAY],
        loses: [],
        text: `would get ${WAY}`,
        because: [{ type, key }],
        secret: null,
      },
    ]
  })
}

/**
 * Tells whether a plan is the first that says who can do what: no apply has managed anything, the data model has no
 * people, and the domain still has its first grants. Then everything that the plan grants is new, and nobody else can
 * lose anything.
 */
export function isFirstAccess(
  { managed, digests }: Pick<LiveIndex, 'managed' | 'digests'>,
  { staying, taken }: Grants,
): boolean {
  if (managed.size > 0 || PERSON_TYPES.some((type) => (digests.get(type)?.size ?? 0) > 0)) return false
  return (digests.get(ACCESS)?.size ?? 0) === 0 || isDefaultAccess([...staying.map(({ before }) => before), ...taken])
}
