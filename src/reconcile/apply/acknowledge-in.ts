import { outcomeOf } from '../../plan/assemble-plan.ts'
import { acknowledging } from '../../plan/guards/guards.ts'
import { allChanges, allRows, type Change, type Guard, type GuardCode, type Plan } from '../../plan/plan.ts'
import { openGuards } from '../../plan/render/verdict.ts'
import { ACCESS, type RecordTypeName } from '../../records/record-type.ts'
import type { Acknowledgement } from '../../records/settings.ts'

/** Acknowledges more guards in a plan that was made without `--allow`. */
export function acknowledgeIn(plan: Plan, allowed: readonly Acknowledgement[]): Plan {
  if (allowed.length === 0) return plan
  const given = acknowledging(allowed)
  const digestOf = (code: GuardCode) => (code === 'widens-access' ? plan.access.diff?.digest : undefined)
  const pass = (guards: readonly Guard[], type: RecordTypeName, key?: string) =>
    guards.map((guard) => {
      const { code } = guard
      const allows = given({ code, type, key, digest: digestOf(code) }).length > 0
      return allows ? { ...guard, acknowledged: true } : guard
    })
  const passChange = (change: Change) => ({ ...change, guards: pass(change.guards, change.type, change.key) })
  const scope = plan.scope.map((row) => ({ ...row, guards: pass(row.guards, row.type) }))
  const changes = plan.changes.map(passChange)
  const access = {
    ...plan.access,
    guards: pass(plan.access.guards, ACCESS),
    changes: plan.access.changes.map(passChange),
  }
  const passed = { ...plan, scope, changes, access }
  return { ...passed, outcome: outcomeOf(passed) }
}

/** A guard that would stop the apply, with its record, its type or the access diff. */
interface Blocker {
  readonly code: GuardCode
  readonly type: RecordTypeName
  readonly key?: string
  readonly message: string
}

export function blockersOf(plan: Pick<Plan, 'scope' | 'changes' | 'access'>): Blocker[] {
  return [
    ...allRows(plan).flatMap((row) => openGuards(row).map(({ code, message }) => ({ code, type: row.type, message }))),
    ...allChanges(plan).flatMap((change) =>
      openGuards(change).map(({ code, message }) => ({ code, type: change.type, key: change.key, message })),
    ),
  ]
}
