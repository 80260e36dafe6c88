import type { Diagnostic } from '../../../src/lib/diagnostic.ts'
import { digestOf } from '../../../src/lib/digest.ts'
import type { JsonObject } from '../../../src/lib/json.ts'
import { byTypeAndKey } from '../../../src/plan/compare/draft-changes.ts'
import { outcomeOf } from '../../../src/plan/assemble-plan.ts'
import { planDigest } from '../../../src/plan/plan-digest.ts'
import type { AccessPlan, Change, Guard, GuardCode, Plan, ScopeRow } from '../../../src/plan/plan.ts'
import { DOCUMENT_TYPE_NAMES, type RecordTypeName } from '../../../src/records/record-type.ts'

// Plans written by hand: what a test does not say is filled in as a real plan would have it.

type Optional = 'cause' | 'patch' | 'beforeDigest' | 'afterDigest' | 'impact' | 'guards'
export type ChangeSketch = Omit<Change, Optional> & Partial<Pick<Change, Optional>>

interface PlanSketch {
  readonly changes?: readonly Change[]
  readonly scope?: { readonly [type in RecordTypeName]?: Partial<ScopeRow> }
  readonly access?: Partial<AccessPlan>
  readonly diagnostics?: readonly Diagnostic[]
  readonly domain?: string
}

export function planOf(sketch: PlanSketch): Plan {
  const { changes = [], scope: rows = {}, diagnostics = [], domain = 'local' } = sketch
  const access = { ...NO_ACCESS, ...sketch.access }
  const sorted = [...changes].sort(byTypeAndKey)
  const scope = DOCUMENT_TYPE_NAMES.map((type) => ({ ...UNMANAGED, type, ...rows[type] }))
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length
  const desired = scope.reduce((sum, row) => sum + row.desired, 0)
  return {
    formatVersion: 1,
    domain,
    digest: planDigest({ domain, scope, changes: sorted, access, references: [] }),
    outcome: outcomeOf({ scope, changes: sorted, access, diagnostics }),
    summary: {
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      move: count('move'),
      unchanged: Math.max(0, desired - changes.length + count('delete')),
      unmanagedTypes: scope.filter(({ state }) => state === 'unmanaged' || state === 'released').length,
    },
    scope,
    changes: sorted,
    access,
    references: [],
    diagnostics,
  }
}

const UNMANAGED = { state: 'unmanaged', previously: null, files: 0, desired: 0, actual: 0, guards: [] } as const

const NO_ACCESS: AccessPlan = { state: 'unmanaged', previously: null, desired: 0, actual: 0, guards: [], changes: [] }

export function managed(desired: number, actual = desired, files = 1): Partial<ScopeRow> {
  return { state: 'managed', previously: 'managed', files, desired, actual }
}

export function changeOf(sketch: ChangeSketch): Change {
  const filled = { cause: 'you', patch: [], impact: {}, guards: [] } as const
  return { ...filled, beforeDigest: digestOrNull(sketch.before), afterDigest: digestOrNull(sketch.after), ...sketch }
}

function digestOrNull(body: JsonObject | null) {
  return body === null ? null : digestOf(JSON.stringify(body))
}

export function created(type: RecordTypeName, key: string, after: JsonObject, more: Partial<Change> = {}): Change {
  return changeOf({ type, key, action: 'create', before: null, after, ...more })
}

export function updated(
  type: RecordTypeName,
  key: string,
  before: JsonObject,
  after: JsonObject,
  more: Partial<Change> = {},
): Change {
  return changeOf({ type, key, action: 'update', before, after, ...more })
}

export function deleted(type: RecordTypeName, key: string, before: JsonObject, more: Partial<Change> = {}): Change {
  return changeOf({ type, key, action: 'delete', before, after: null, ...more })
}

export function moved(
  type: RecordTypeName,
  from: string,
  key: string,
  bodies: readonly [JsonObject, JsonObject],
  more: Partial<Change> = {},
): Change {
  return changeOf({ type, key, from, action: 'move', before: bodies[0], after: bodies[1], ...more })
}

export function guard(code: GuardCode, message: string, acknowledged = false): Guard {
  return { code, acknowledged, message }
}

export function at(file: string, line: number, column = 5) {
  return { source: { file, line, column } }
}
