import { ACCESS } from '../../records/record-type.ts'
import { PERSON_TYPES } from '../../records/registry.ts'
import { isDefaultAccess } from '../../records/types/grant.ts'
import type { LiveIndex } from '../live-state.ts'
import type { Grants } from './grants-after.ts'

/**
 * Tells whether a plan is the first to say who can do what: no apply has managed anything, nobody is in the data model, and
 * the grants are those of a new domain. All that the plan gives is new then, and nobody else has anything to lose by it.
 */
export function isFirstAccess(
  { managed, digests }: Pick<LiveIndex, 'managed' | 'digests'>,
  { staying, taken }: Grants,
): boolean {
  if (managed.size > 0 || PERSON_TYPES.some((type) => (digests.get(type)?.size ?? 0) > 0)) return false
  return (digests.get(ACCESS)?.size ?? 0) === 0 || isDefaultAccess([...staying.map(({ before }) => before), ...taken])
}
