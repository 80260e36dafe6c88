import type { Diagnostic } from '../lib/diagnostic.ts'
import type { RecordKey } from '../records/record-type.ts'
import { recordType } from '../records/registry.ts'
import { idOf, type LiveIndex, type LiveReference, type LiveState } from './live-state.ts'

/** A record that goes; `owner` where the document does not ask for it itself. */
export interface Deletion extends RecordKey {
  readonly owner?: RecordKey
  readonly referrers: readonly RecordKey[]
}

/** The deletions that the document asks for, and those that follow: what is owned by a deleted record goes with it. */
export async function planDeletions(asked: readonly RecordKey[], index: LiveIndex, live: LiveState): Promise<readonly Deletion[]> {
  if (asked.length === 0) return []
  const deleted = new Map<string, RecordKey & { owner?: RecordKey }>(asked.map((key) => [idOf(key), key]))
  for (const node of asked) for (const below of nodesBelow(node, index)) addOwned(deleted, below, node)
  const references = await live.referrers([...deleted.values()])
  for (const { from, to, owner } of references) if (owner) addOwned(deleted, from, to)
  const referrers = groupByTarget(references)
  return [...deleted.values()].map((deletion) => ({ ...deletion, referrers: referrers.get(idOf(deletion)) ?? [] }))
}

function nodesBelow({ type, key }: RecordKey, index: LiveIndex): RecordKey[] {
  if (recordType(type).tree === undefined) return []
  return [...(index.digests.get(type)?.keys() ?? [])].filter((other) => other.startsWith(`${key}/`)).map((below) => ({ type, key: below }))
}

function addOwned(deleted: Map<string, RecordKey & { owner?: RecordKey }>, { type, key }: RecordKey, owner: RecordKey): void {
  const id = idOf({ type, key })
  if (!deleted.has(id)) deleted.set(id, { type, key, owner })
}

function groupByTarget(references: readonly LiveReference[]): ReadonlyMap<string, RecordKey[]> {
  const groups = new Map<string, RecordKey[]>()
  for (const { from, to } of references) {
    const group = groups.get(idOf(to))
    if (group === undefined) groups.set(idOf(to), [from])
    else group.push(from)
  }
  for (const group of groups.values()) group.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  return groups
}

/** A record cannot go while another one that stays refers to it. `stays`: whether the referrer still does after the plan. */
export function stillReferenced(deletions: readonly Deletion[], stays: (referrer: RecordKey, target: RecordKey) => boolean): Diagnostic[] {
  return deletions.flatMap(({ type, key, referrers }) => {
    const staying = referrers.filter((referrer) => stays(referrer, { type, key }))
    if (staying.length === 0) return []
    const message = `${type}/${key} cannot be deleted: ${nameSome(staying)} refer${staying.length === 1 ? 's' : ''} to it and would stay; change or delete ${staying.length === 1 ? 'it' : 'them'} too`
    return [{ severity: 'error' as const, code: 'still-referenced', message, pointer: `/${type}` }]
  })
}

function nameSome(keys: readonly RecordKey[]): string {
  const named = keys.slice(0, 5).map(idOf).join(', ')
  return keys.length > 5 ? `${named} and ${keys.length - 5} more` : named
}

