import { counted, formatCount } from '../../lib/counted.ts'
import { plainText } from '../../lib/visible-text.ts'
import { grantOf } from '../../records/types/granted.ts'
import { grantSentence } from '../../records/types/grant-text.ts'
import { isNotManagedNow } from '../scope.ts'
import { ACCESS } from '../../records/record-type.ts'
import { takesOwnership, type AccessDifference, type AccessPlan, type Change, type Referrer } from '../plan.ts'

// These texts say what a plan does with grants, equally in all output formats.

/** `anna@example.com becomes operator within lindenhof` */
export function accessSentence({ action, before, after }: Pick<Change, 'action' | 'before' | 'after'>): string {
  const verb = VERBS[action]
  return grantSentence(grantOf(after ?? before ?? {}), verb)
}

const VERBS = { create: 'becomes', delete: 'is no longer', update: 'stays', move: 'stays' } as const

/** `2 to give, 1 to take back`, or an empty text if no grant changes. */
export function accessCounts({ changes }: AccessPlan): string {
  const count = (...actions: Change['action'][]) => changes.filter(({ action }) => actions.includes(action)).length
  return (
    [
      [count('create'), 'to give'],
      [count('delete'), 'to revoke'],
      [count('move', 'update'), 'to adapt'],
    ] as const
  )
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${formatCount(number)} ${what}`)
    .join(', ')
}

/** Tells whether the management of grants changes; null if it does not. */
export function accessStateText(access: AccessPlan): string | null {
  const { state, previously, managedBy, actual, live = actual, guards, changes } = access
  if (state === 'unmanaged' && managedBy !== undefined) return null
  if (isNotManagedNow(access)) return `not in this import, still managed: ${grants(actual)} untouched`
  const taken = changes.filter(({ action }) => action === 'delete').length
  if (state === 'released') return `no longer managed: ${grants(actual)} ${actual === 1 ? 'stays' : 'stay'} behind`
  if (takesOwnership(access)) return `managed by ${plainText(managedBy ?? '')}, and in holdfast.yaml, too`
  if (state === 'emptied') return `managed, none: takes ${formatCount(taken)} back`
  if (state === 'managed' && previously === null) {
    return `managed from now on: ${live === 0 ? 'none' : grants(live)} on the platform until now`
  }
  return guards.some(({ code }) => code !== 'widens-access')
    ? `managed, takes ${formatCount(taken)} of ${formatCount(actual)} back`
    : null
}

/** The lines of the access diff, at most `most`, with the gains first. The sentences about grants are separate. */
export function differenceLines({ diff }: Pick<AccessPlan, 'diff'>, most: number): DifferenceLine[] {
  const told = (diff?.changes ?? [])
    .filter(({ because, count }) => count !== undefined || !because.every(isGrant))
    .sort((one, other) => Number(other.gains.length > 0) - Number(one.gains.length > 0))
  const lines = told.slice(0, most).map(({ gains, message, because }) => ({
    isGain: gains.length > 0,
    text: message,
    because,
  }))
  const left = told.length - lines.length
  const unseen = diff?.withheld ?? 0
  return [
    ...lines,
    ...(left > 0 ? [{ isGain: true, text: `… and ${counted(left, 'more', 'more')}`, because: [] }] : []),
    ...(unseen > 0 ? [{ isGain: true, text: withheldDifferences(unseen), because: [] }] : []),
  ]
}

export interface DifferenceLine {
  readonly isGain: boolean
  readonly text: string
  readonly because: AccessDifference['because']
}

function isGrant({ type }: Referrer): boolean {
  return type === ACCESS
}

function withheldDifferences(count: number): string {
  const whom = count === 1 ? '1 whom' : `${formatCount(count)} whom`
  return `${whom} the models do not name; a token that may read the data model sees ${count === 1 ? 'the name' : 'the names'}`
}

function grants(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'grant' : 'grants'}`
}
