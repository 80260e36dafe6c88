import { HoldfastError } from '../lib/errors.ts'
import { didYouMean } from '../lib/suggest.ts'
import { outcomeOf } from '../plan/make-plan.ts'
import { acknowledges } from '../plan/guards.ts'
import { allChanges, allRows, type Change, type Guard, type GuardCode, type Plan } from '../plan/plan.ts'
import { openGuards } from '../plan/render/verdict.ts'
import { comparedKey } from '../records/identity.ts'
import { recordType } from '../records/registry.ts'
import { ACCESS, isRecordTypeName, PLANNED_TYPE_NAMES, type RecordTypeName } from '../records/record-type.ts'
import type { Acknowledgement } from '../records/settings.ts'

/** What each guard stands on: a record, or the row of a type in the scope table. */
const GUARDS: { readonly [code in GuardCode]: 'record' | 'type' } = {
  'deletes-data': 'record',
  'invalidates-data': 'record',
  'relabels-data': 'record',
  'strands-data': 'record',
  'mass-delete': 'type',
  'takes-over': 'type',
  'empties-type': 'type',
  'leaves-scope': 'type',
  protected: 'record',
  'widens-access': 'record',
}

/** Reads `--allow CODE:type/key` and `--allow CODE:type`. */
export function parseAllow(text: string): Acknowledgement {
  const [, code = '', type = '', key] = /^([^:]*):([^/]*)(?:\/(.*))?$/s.exec(text) ?? []
  if (type === '') throw bad(text, 'write CODE:type/key, or CODE:type for a guard on a whole record type')
  if (!Object.hasOwn(GUARDS, code)) {
    const codes = Object.keys(GUARDS)
    throw bad(
      text,
      `there is no guard ${JSON.stringify(code)}.${didYouMean(code, codes)} The guards are ${codes.join(', ')}`,
    )
  }
  if (!isRecordTypeName(type)) {
    throw bad(text, `there is no record type ${JSON.stringify(type)}.${didYouMean(type, PLANNED_TYPE_NAMES)}`)
  }
  return acknowledgement(text, code as GuardCode, type, key)
}

function acknowledgement(
  text: string,
  code: GuardCode,
  type: RecordTypeName,
  key: string | undefined,
): Acknowledgement {
  if (GUARDS[code] === 'type') {
    if (key !== undefined) throw bad(text, `${code} is about a whole record type: write ${code}:${type}`)
    return { code, type }
  }
  if (code === 'widens-access' && type === ACCESS && key === undefined) return { code, type }
  if (key === undefined || key === '') throw bad(text, `${code} is about one record: write ${code}:${type}/KEY`)
  return { code, type, key: comparedKey(recordType(type), key) }
}

function bad(text: string, why: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', `--allow ${JSON.stringify(text)}: ${why}`)
}

/** The same plan with more guards acknowledged, for plans that were made without knowing of `--allow`. */
export function acknowledgeIn(plan: Plan, allowed: readonly Acknowledgement[]): Plan {
  if (allowed.length === 0) return plan
  const areFirstGrants = plan.access.previously === null
  const pass = (guards: readonly Guard[], type: RecordTypeName, key?: string) =>
    guards.map((guard) => {
      const allows = allowed.some((one) => acknowledges(one, { code: guard.code, type, key }, areFirstGrants))
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

/** Why an apply of this plan would be refused: a guard and what it stands on. */
export interface Blocker {
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
