import { allChanges, allRows, type Change, type Plan } from '../../plan/plan.ts'
import { scopeAfter } from '../../plan/scope.ts'
import { recordId } from '../../records/record-id.ts'
import type { RecordKey } from '../../records/record-type.ts'

/** What is left to do of a plan that was made for older models than the newest ones. */
export interface LeftOver {
  /** The records of which the platform is as the newest models say. To change them would be to undo what came later. */
  readonly except: readonly RecordKey[]
  /** Whether nothing is left of the plan. */
  readonly isNothing: boolean
}

/** Compares a plan with that of everything that differs between the newest models and the platform. */
export function leftOver(plan: Plan, newest: Plan): LeftOver {
  const open = new Set(allChanges(newest).flatMap(namesOf))
  const hidden = new Set((newest.withheld ?? []).map(({ type }) => type))
  const changes = allChanges(plan)
  const except = changes
    .filter((change) => !hidden.has(change.type) && !namesOf(change).some((name) => open.has(name)))
    .map(({ type, key }) => ({ type, key }))
  const isAll = plan.withheld === undefined && changes.length > 0 && except.length === changes.length
  return { except, isNothing: isAll && !changesScope(plan, newest) }
}

/** The names of a record before and after a change. */
function namesOf({ type, key, from = key }: Change): string[] {
  return [recordId({ type, key }), recordId({ type, key: from })]
}

/** Tells whether the newest models, too, want to change the management of a type that the plan changes. */
function changesScope(plan: Plan, newest: Plan): boolean {
  const changed = new Set(
    plan.own?.scope ??
      allRows(plan)
        .filter(isChanged)
        .map(({ type }) => type),
  )
  return allRows(newest).some((row) => changed.has(row.type) && isChanged(row))
}

function isChanged(row: Parameters<typeof scopeAfter>[0]): boolean {
  return scopeAfter(row) !== row.previously
}
