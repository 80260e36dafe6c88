import { counted, formatCount } from '../../lib/counted.ts'
import { plainText } from '../../lib/visible-text.ts'
import {
  allChanges,
  allRows,
  takesOwnership,
  type Change,
  type Guard,
  type Plan,
  type ScopeRow,
  type Action,
} from '../plan.ts'
import { accessCounts } from './access-text.ts'
import { notComparedCount } from './not-compared-text.ts'
import type { RecordTypeName } from '../../records/record-type.ts'

/**
 * The plan in one sentence. `showName` escapes a text from outside for the output format. `platform` is the address of
 * the platform, if the reader may not know it.
 */
export function verdict(plan: Plan, showName: (name: string) => string = plainText, platform?: string): string {
  const where = platform === undefined ? '' : ` on ${showName(platform)}`
  if (plan.outcome === 'no-changes') return noChanges(plan, where, showName)
  const counts = `${countsText(plan)}${where} · domain ${showName(plan.domain)}`
  return plan.outcome === 'blocked' ? `Plan is blocked: ${blockers(plan)} · ${counts}` : `Plan: ${counts}`
}

/** `3 to create, 1 to update`, without actions that do not occur. */
function actionCounts(counts: Pick<Plan['summary'], Change['action']>): string {
  return (['create', 'update', 'move', 'delete'] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${formatCount(counts[action])} to ${action}`)
    .join(', ')
}

function isReleased({ state }: Pick<ScopeRow, 'state'>): boolean {
  return state === 'released'
}

/** The guards that stop an apply. */
export function openGuards(guarded: { readonly guards: readonly Guard[] }): Guard[] {
  return guarded.guards.filter(({ acknowledged }) => !acknowledged)
}

function countsText({ summary, scope, access, notCompared = [] }: Plan): string {
  const released = scope.filter(isReleased).length
  const foreign = scope.filter(takesOwnership).length
  const grants = [accessCounts(access), isReleased(access) ? 'no longer managed' : ''].filter((part) => part !== '')
  const unknown = notComparedCount({ notCompared })
  return [
    actionCounts(summary) || 'no record changes',
    unknown === '' ? '' : `, ${unknown}`,
    released === 0 ? '' : `, ${counted(released, 'type')} no longer managed`,
    foreign === 0 ? '' : `, ${counted(foreign, 'type')} of other owners`,
    grants.length === 0 ? '' : `; grants: ${grants.join(', ')}`,
  ].join('')
}

function blockers(plan: Plan): string {
  const errors = plan.diagnostics.filter(({ severity }) => severity === 'error').length
  const unseen = (plan.withheld ?? []).reduce((sum, { stopped }) => sum + stopped, 0)
  const guards = [...allRows(plan), ...allChanges(plan)].flatMap(openGuards).length + unseen
  const reasons = [
    errors > 0 ? counted(errors, 'error') : '',
    guards > 0 ? `${counted(guards, 'guard')} ${guards === 1 ? 'needs' : 'need'} acknowledgement` : '',
  ]
  return reasons.filter((reason) => reason !== '').join(', ')
}

function noChanges(plan: Plan, where: string, showName: (name: string) => string): string {
  const { notCompared = [] } = plan
  const isKnown = notCompared.length === 0
  const found = isKnown
    ? `No changes${where}.`
    : `No changes found${where}, ${counted(notCompared.length, 'record')} not compared.`
  if (plan.own === undefined) return `${found} ${asTheDocumentsSay(plan, showName)}.`
  // Such a plan does not tell whether the other records agree with the documents.
  return `${found} ${isKnown ? 'The' : 'Else the'} documents change nothing of their base that the platform does not have.`
}

function asTheDocumentsSay({ summary, scope, access }: Plan, showName: (name: string) => string): string {
  const { unchanged } = summary
  const others = scope.filter(({ state, managedBy }) => state === 'unmanaged' && managedBy !== undefined)
  const unmanagedTypes = summary.unmanagedTypes - others.length
  const managed = scope.filter(({ state }) => state !== 'unmanaged').length
  const unmanaged =
    unmanagedTypes === 0 ? '' : `; ${counted(unmanagedTypes, 'type')} ${isAre(unmanagedTypes)} unmanaged`
  const owned = [...Map.groupBy(others, ({ managedBy = '' }) => managedBy)].map(
    ([owner, own]) => `; ${counted(own.length, 'type')} ${isAre(own.length)} managed by ${showName(owner)}`,
  )
  const untouched = scope.reduce((sum, row) => sum + (row.untouched ?? 0), 0)
  const alone =
    untouched === 0
      ? ''
      : `; ${counted(untouched, 'record')} of lists that are not written out ${isAre(untouched)} untouched`
  const grants = access.state === 'managed' ? `; ${counted(access.desired, 'grant')} as holdfast.yaml says` : ''
  return `${counted(unchanged, 'record')} of ${counted(managed, 'type')} ${isAre(unchanged)} as the documents say${unmanaged}${owned.join('')}${alone}${grants}`
}

function isAre(count: number): string {
  return count === 1 ? 'is' : 'are'
}

/** `2 to create, 5 to update (80 unchanged)`, for these changes of one record type. */
export function typeCounts({ scope, changes: all }: Plan, type: RecordTypeName, changes: readonly Change[]): string {
  const count = (action: Action) => changes.filter((change) => change.action === action).length
  const counts = actionCounts({
    create: count('create'),
    update: count('update'),
    move: count('move'),
    delete: count('delete'),
  })
  const touched = all.filter((change) => change.type === type && change.action !== 'delete').length
  const unchanged = (scope.find((row) => row.type === type)?.desired ?? 0) - touched
  return unchanged > 0 ? `${counts} (${formatCount(unchanged)} unchanged)` : counts
}
