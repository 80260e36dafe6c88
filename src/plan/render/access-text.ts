import { formatCount } from '../../lib/counted.ts'
import { grantOf } from '../../records/types/granted.ts'
import { grantSentence } from '../../records/types/grant-text.ts'
import { isNotManagedNow } from '../scope.ts'
import type { AccessPlan, Change } from '../plan.ts'

// These texts say what a plan does with grants, equally in all output formats.

/** `anna@example.com becomes operator within lindenhof` */
export function accessSentence({ action, before, after }: Pick<Change, 'action' | 'before' | 'after'>): string {
  const verb = VERBS[action]
  return grantSentence(grantOf(after ?? before ?? {}), verb)
}

const VERBS = { create: 'becomes', delete: 'is no longer', update: 'stays', move: 'stays' } as const

/** `2 to give, 1 to take back`, or an empty text where no grant changes. */
export function accessCounts({ changes }: AccessPlan): string {
  const count = (...actions: Change['action'][]) => changes.filter(({ action }) => actions.includes(action)).length
  return (
    [
      [count('create'), 'to give'],
      [count('delete'), 'to take back'],
      [count('move', 'update'), 'to adapt'],
    ] as const
  )
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${formatCount(number)} ${what}`)
    .join(', ')
}

/** What changes about whether grants are managed; null where nothing does. */
export function accessStateText({ state, previously, actual, guards, changes }: AccessPlan): string | null {
  if (isNotManagedNow({ state, previously })) return `not in this import, still managed: ${grants(actual)} untouched`
  const taken = changes.filter(({ action }) => action === 'delete').length
  if (state === 'released') return `no longer managed: ${grants(actual)} ${actual === 1 ? 'stays' : 'stay'} behind`
  if (state === 'emptied') return `managed, none: takes ${formatCount(taken)} back`
  if (state === 'managed' && previously === null) {
    const live = actual === 0 ? 'none' : grants(actual)
    return `managed from now on: ${live} on the platform until now`
  }
  return guards.length > 0 ? `managed, takes ${formatCount(taken)} of ${formatCount(actual)} back` : null
}

function grants(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'grant' : 'grants'}`
}
