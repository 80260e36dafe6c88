import type { Grant, GrantedIdentities } from '../../../generated/settings.ts'
import { fitsClaims, type WantedClaims } from '../../auth/token-rules.ts'
import { plainText } from '../../lib/visible-text.ts'
import { joinKey, rootOf, splitKey } from '../identity.ts'
import { subjectOf, type Grantee } from './grant.ts'
import { subjectText } from './grant-text.ts'

// A grant may apply to a group: all people of an organization, all users, all machine users, or all identities with
// some claims. A group is represented by a member without other grants. If the group gains something, each member gains
// it, unless another grant already allows as much.

/** A member of a group, according to the grants before and after a plan. */
export interface Group {
  /** The subject of the group's grants. */
  readonly subject: string
  readonly name: string
  readonly before: Grantee
  readonly after: Grantee
}

/** The effect of a plan on the tree of organizations. */
interface TreeChange {
  /** The nodes whose key changes. */
  readonly moved: readonly { readonly before: string; readonly after: string }[]
  /** The key before the plan; null for a node that the plan creates. */
  keyBefore(after: string): string | null
}

const PERSON: Grantee = { kind: 'person', login: '', isOfModel: true, organization: null, fits: [] }
const MACHINE: Grantee = { ...PERSON, kind: 'machine' }
/** A person who is known only to another provider. */
const STRANGER: Grantee = { ...PERSON, isOfModel: false }

/** Represents the organization of any user. No organization has this alias. */
const ANY_ORGANIZATION = '\0'

/** Tells whether a role counts within the organization of each user. */
export function isOfAnyOrganization({ within }: { readonly within: string | null }): boolean {
  return within === joinKey([ANY_ORGANIZATION])
}

/** The grants before and after a plan. */
export interface GrantsAcross {
  readonly before: readonly Grant[]
  readonly after: readonly Grant[]
}

/** The maximum number of comparisons of claims with identity grants in a plan. They take about half a second. */
const MOST_COMPARISONS = 100_000

/**
 * The maximum number of combinations of claims that are examined for each of these grants. The number is limited,
 * because everybody who may plan can cause this work.
 */
export function mostCombinations(looked: readonly Grant[], { before, after }: GrantsAcross): number {
  const [each, all] = [looked, [...before, ...after]].map((some) => some.filter(({ identities }) => identities).length)
  return Math.floor(MOST_COMPARISONS / ((each ?? 0) * (all ?? 0)))
}

/**
 * The groups of a grant; none if it names an account. `others` are all grants. If an identity grant has more than
 * `most` combinations of claims, its group is represented by a person who had no roles before.
 */
export function groupsOf(grant: Grant, others: GrantsAcross, units: TreeChange, most: number): Group[] {
  const common = { subject: subjectOf(grant), name: subjectText(grant) }
  const { organization, everyone, identities, withinOwnOrganization } = grant
  if (organization !== undefined) return [membersOf(organization, common.subject, units)]
  if (everyone === 'machineUsers') return [{ ...common, before: MACHINE, after: MACHINE }]
  if (everyone === 'users') {
    if (withinOwnOrganization !== true) return [{ ...common, before: PERSON, after: PERSON }]
    const moved = new Set(units.moved.map(({ after }) => splitKey(rootOf(after))[0] ?? ''))
    const anybody = { ...PERSON, organization: ANY_ORGANIZATION }
    const members = [...moved].map((root) => membersOf(root, common.subject, units))
    return [{ ...common, before: anybody, after: anybody }, ...members]
  }
  if (identities === undefined) return []
  const combinations = claimsOf(identities, most)
  if (combinations === null) return [{ ...common, before: STRANGER, after: { ...STRANGER, fits: [common.subject] } }]
  return combinations.map((claims) => ({
    ...common,
    before: identityWith(claims, identities, others.before),
    after: identityWith(claims, identities, others.after),
  }))
}

function membersOf(alias: string, subject: string, units: TreeChange): Group {
  const keyBefore = units.keyBefore(joinKey([alias]))
  const before = keyBefore === null ? null : (splitKey(rootOf(keyBefore))[0] ?? null)
  return {
    subject,
    name: `everyone of ${plainText(alias)}`,
    before: { ...PERSON, organization: before },
    after: { ...PERSON, organization: alias },
  }
}

/** An identity with exactly these claims. */
function identityWith(
  claims: WantedClaims,
  { issuer, clientId }: GrantedIdentities,
  grants: readonly Grant[],
): Grantee {
  const fitting = grants.filter(
    ({ identities }) =>
      identities?.issuer === issuer &&
      identities.clientId === clientId &&
      fitsClaims(identities.claims as WantedClaims, claims),
  )
  return { ...STRANGER, fits: fitting.map(subjectOf) }
}

/** The claims of the identities of a grant, with one value of each list; null if there are too many combinations. */
function claimsOf({ claims }: GrantedIdentities, most: number): WantedClaims[] | null {
  let found: { readonly [claim: string]: string }[] = [{}]
  for (const [claim, values] of Object.entries<string | readonly string[]>(claims)) {
    found = [values].flat().flatMap((value) => found.map((one) => ({ ...one, [claim]: value })))
    if (found.length > most) return null
  }
  return found
}
