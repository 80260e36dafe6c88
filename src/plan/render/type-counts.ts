import { formatCount } from '../../lib/counted.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import type { Action, Change, Plan } from '../plan.ts'
import { actionCounts } from './verdict.ts'

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
