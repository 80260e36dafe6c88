import { isObject, type JsonObject } from '../../lib/json.ts'
import { fromPointer } from '../../lib/pointer.ts'
import { patchBetween } from '../compare/patch.ts'
import type { Action, Change, PatchOperation } from '../plan.ts'

/** The parts of a change that decide whether two changes read the same. Most are optional for an apply. */
export interface Likable extends Partial<Pick<Change, 'guards' | 'reason' | 'secret' | 'drift' | 'patch'>> {
  readonly action: string
  readonly cause: string
  readonly before: JsonObject | null
  readonly after: JsonObject | null
}

const FOLDED: ReadonlySet<string> = new Set<Action>(['create', 'update'])

/** Equal for changes of one type that read the same; null if always alone: it destroys, renames or needs a decision. */
export function likenessOf(change: Likable): string | null {
  const { action, cause, reason, secret, drift, guards = [] } = change
  if (!FOLDED.has(action) || guards.length > 0 || secret === 'not compared') return null
  const told = [action, cause, drift?.actor ?? null, reason ?? null]
  if (action === 'create') return JSON.stringify(told)
  const patch = change.patch ?? patchBetween(change.before, change.after)
  return JSON.stringify([...told, secret ?? null, patch, patch.map((operation) => valueBefore(change, operation))])
}

function valueBefore({ before }: Likable, { op, path }: PatchOperation): unknown {
  if (op === 'add') return null
  let value: unknown = before
  for (const part of fromPointer(path)) {
    value = Array.isArray(value) ? value[Number(part)] : isObject(value) ? value[part] : null
  }
  return value ?? null
}
