import type { Grant } from '../../../generated/settings.ts'
import { ACCESS, type RecordBody } from '../../records/record-type.ts'
import { subjectOf } from '../../records/types/grant.ts'
import { GrantBook, type GivenRole } from '../../records/types/grant-book.ts'
import {
  groupsOf,
  isOfAnyOrganization,
  mostCombinations,
  type GrantsAcross,
  type Group,
} from '../../records/types/granted-groups.ts'
import { grantKey, grantOf } from '../../records/types/granted.ts'
import { roleText, rolesText, type Difference } from './difference.ts'
import { HeldRoles } from './held-roles.ts'
import { gainedRoles, type RoleCauses } from './role-causes.ts'
import type { Grants } from './grants-after.ts'
import type { UnitMoves } from './unit-moves.ts'

/** Gains and losses of groups that grants name: all users, an organization's people, identities with some claims. */
export function groupDifferences(
  grants: Grants,
  units: UnitMoves,
  undone: UnitMoves,
  causes: RoleCauses,
): Difference[] {
  const { staying, given, taken } = grants
  const before = [...staying.map((grant) => grant.before), ...taken].map(grantOf)
  const after = [...staying.map((grant) => grant.after), ...given].map(grantOf)
  const gaining = units.moved.length > 0 ? after : [...given, ...changed(staying, 'after')].map(grantOf)
  const losing = units.moved.length > 0 ? before : [...taken, ...changed(staying, 'before')].map(grantOf)
  const found = [
    ...differences(gaining, { before, after }, units, causes, 'gains'),
    ...differences(losing, { before: after, after: before }, undone, causes, 'loses'),
  ]
  return [...new Map(found.map((one) => [`${one.who} ${one.text}`, one])).values()]
}

function changed(staying: Grants['staying'], which: 'before' | 'after'): RecordBody[] {
  return staying.filter(({ before, after }) => before !== after).map((grant) => grant[which])
}

function differences(
  named: readonly Grant[],
  grants: GrantsAcross,
  units: UnitMoves,
  causes: RoleCauses,
  which: 'gains' | 'loses',
): Difference[] {
  const [before, after] = [new GrantBook(grants.before), new GrantBook(grants.after)]
  const most = mostCombinations(named, grants)
  return named.flatMap((grant) =>
    groupsOf(grant, grants, units, most).flatMap((group): Difference[] => {
      const held = after.givenTo(group.after)
      const own = new HeldRoles(held.filter((one) => isOf(one, group)))
      const roles = gainedRoles(held, before.givenTo(group.before), units).filter((role) => own.include(role))
      if (roles.length === 0) return []
      const texts = roles.map((role) =>
        isOfAnyOrganization(role) ? `${role.role} within the own organization` : roleText(role),
      )
      const [gains, loses] = which === 'gains' ? [texts, []] : [[], texts]
      return [
        {
          type: ACCESS,
          key: grantKey(grant),
          who: group.name,
          gains,
          loses,
          text: rolesText(gains, loses),
          because: which === 'gains' ? causes.of(roles, held, null) : [],
          secret: null,
        },
      ]
    }),
  )
}

/** Tells whether a group has a role itself. Roles through a larger group are reported for that only. */
function isOf({ grant }: GivenRole, { subject }: Group): boolean {
  return subjectOf(grant) === subject
}
