import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import type { Drift, LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import { isReplaced, type Author, type Change } from '../plan.ts'

/** The base that later plans compare a record with, if an apply leaves some of its fields undecided. */
export type KeptDrift = RecordKey & Drift

/** A rollback restores whole records. Drift in the fields that it does not change stays drift. */
export function keptByRollback(changes: readonly Change[], { drift }: Pick<LiveIndex, 'drift'>): KeptDrift[] {
  return changes.flatMap(({ type, key, from = key, before, after, secret }) => {
    const drifted = drift.get(recordId({ type, key: from }))
    if (drifted === undefined || before === null || after === null) return []
    const open = Object.keys({ ...drifted.base, ...before }).filter(
      (name) => !differs(name, before, after) && differs(name, drifted.base, before),
    )
    const { secret: field } = recordType(type)
    const isKept = field !== undefined && !isReplaced(secret) && drifted.fields?.[field] !== undefined
    const secrets = isKept ? [field] : []
    if (open.length === 0 && secrets.length === 0) return []
    return [keptDrift({ type, key }, drifted, after, { open, secrets })]
  })
}

interface Open {
  readonly open: readonly string[]
  readonly secrets: readonly string[]
}

/** `open` names the fields of the body that stay undecided. */
export function keptDrift(
  { type, key }: RecordKey,
  drift: Drift,
  after: RecordBody,
  { open, secrets }: Open,
): KeptDrift {
  const { base, actor, at } = drift
  const fields = Object.fromEntries([...open, ...secrets].map((field) => [field, authorOf(field, drift)]))
  return { type, key, base: withBase(after, base, open), actor, at, fields }
}

export function differs(name: string, one: RecordBody | null, other: RecordBody | null): boolean {
  return JSON.stringify(one?.[name]) !== JSON.stringify(other?.[name])
}

export function authorOf(field: string, { fields = {}, actor, at }: Drift): Author {
  return fields[field] ?? { actor, at }
}

/** The record as an apply leaves it, with the base values of the fields that it does not decide. */
function withBase(after: RecordBody, base: RecordBody | null, open: readonly string[]): RecordBody {
  const rest = Object.entries(after).filter(([name]) => !open.includes(name))
  const kept = open.flatMap((name) => (base?.[name] === undefined ? [] : [[name, base[name]] as const]))
  return Object.fromEntries([...rest, ...kept])
}
