import { isBelowAny, keysAbove, rootOf } from '../../records/identity.ts'
import { ACCESS, type RecordKey } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { unitsOf, UNIT } from '../../records/types/granted.ts'
import type { Draft } from '../compare/draft-changes.ts'
import type { Grants } from '../access/grants-after.ts'
import { allChanges, takesOwnership, type Change, type Plan } from '../plan.ts'
import { scopeAfter } from '../scope.ts'

/** Stands for the organization of each user: a grant with `withinOwnOrganization` concerns all that have users. */
const OWN_ORGANIZATIONS = '*'

/** The organizations and units that grants name, before or after a plan. */
export type GrantedUnits = ReadonlySet<string>

/** Tells whether the plan creates, moves or deletes organizations or units. Then it must know which have grants. */
export function touchesUnits(drafts: readonly Pick<Draft, 'type' | 'action'>[]): boolean {
  return drafts.some(isOfTree)
}

export function grantedUnits({ staying, given, taken }: Grants): GrantedUnits {
  const bodies = [...staying.flatMap(({ before, after }) => [before, after]), ...given, ...taken]
  const own = bodies.some((body) => body['withinOwnOrganization'] === true) ? [OWN_ORGANIZATIONS] : []
  return new Set([...bodies.flatMap(unitsOf), ...own])
}

/** The parts of a planning result that are needed to tell whether access changes. */
export interface PlanWithGrantedUnits {
  readonly plan: Pick<Plan, 'changes' | 'access'>
  readonly grantedUnits: GrantedUnits
}

/** Tells whether the plan changes who may sign in, or what anyone may do. */
export function changesAccess(planned: PlanWithGrantedUnits): boolean {
  return accessChanges(planned).length > 0 || changesScope(planned.plan.access)
}

/** The records by which the plan changes access. */
export function accessChanges({ plan, grantedUnits: units }: PlanWithGrantedUnits): RecordKey[] {
  const aboveUnits = new Set([...units].flatMap(keysAbove))
  return allChanges(plan)
    .filter((change) => change.type === ACCESS || signsIn(change) || touches(change, units, aboveUnits))
    .map(({ type, key }) => ({ type, key }))
}

function changesScope(access: Plan['access']): boolean {
  return scopeAfter(access) !== access.previously || takesOwnership(access)
}

function signsIn({ type }: Change): boolean {
  return recordType(type).signsIn !== undefined
}

/** Tells whether a changed node has a grant on it, above it or below it. */
function touches(change: Change, units: GrantedUnits, aboveUnits: ReadonlySet<string>): boolean {
  if (!isOfTree(change) || units.size === 0) return false
  const { key, from = key } = change
  if (units.has(OWN_ORGANIZATIONS) && rootOf(key) !== rootOf(from)) return true
  return [key, from].some((key) => units.has(key) || aboveUnits.has(key) || isBelowAny(key, units))
}

function isOfTree({ type, action }: Pick<Draft, 'type' | 'action'>): boolean {
  return type === UNIT && action !== 'update'
}
