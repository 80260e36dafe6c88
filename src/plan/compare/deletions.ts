import type { Diagnostic } from '../../lib/diagnostic.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { parentKey } from '../../records/identity.ts'
import { referencesOf } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import type { LiveIndex, LiveReference, LiveState } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { MovedRecord, Moves } from './moves.ts'

/** A record to delete. If the document does not ask for the deletion itself, `owner` is its deleted cause. */
export interface Deletion extends RecordKey {
  readonly owner?: RecordKey
  readonly referrers: readonly RecordKey[]
}

/**
 * Collects the deletions that the document asks for and the deletions that follow from them: a record is deleted with
 * its owner, unless it moves to another owner in the same plan.
 */
export async function planDeletions(
  asked: readonly RecordKey[],
  index: LiveIndex,
  live: LiveState,
  moves: Moves,
): Promise<readonly Deletion[]> {
  if (asked.length === 0) return []
  const moved = new Map(
    [...moves.records.values()].map((record) => [recordId({ type: record.type, key: record.from }), record]),
  )
  const deleted = new Map<string, RecordKey & { owner?: RecordKey }>(asked.map((key) => [recordId(key), key]))
  for (const { node, owner } of nodesBelow(asked, index, moved)) addOwned(deleted, node, owner)
  const references = [...(await live.referrers([...deleted.values()]))].sort(byTarget)
  for (const { from, to, owner } of references) if (owner && ownsAfter(from, to, moved)) addOwned(deleted, from, to)
  const referrers = groupByTarget(references)
  return [...deleted.values()].map((deletion) => ({ ...deletion, referrers: referrers.get(recordId(deletion)) ?? [] }))
}

/** The moved records by the `type/key` that they have before the move. */
type MovedFrom = ReadonlyMap<string, MovedRecord>

/** Nodes of a tree that will be below a deleted node after all moves, each with its nearest deleted ancestor. */
function* nodesBelow(
  asked: readonly RecordKey[],
  index: LiveIndex,
  moved: MovedFrom,
): Iterable<{ node: RecordKey; owner: RecordKey }> {
  const newKey = (record: RecordKey) => moved.get(recordId(record))?.key ?? record.key
  for (const [type, nodes] of Map.groupBy(asked, (node) => node.type)) {
    if (recordType(type).tree === undefined) continue
    const owners = new Map(nodes.map((node) => [newKey(node), node]))
    for (const key of index.digests.get(type)?.keys() ?? []) {
      for (let above = parentKey(newKey({ type, key })); above !== null; above = parentKey(above)) {
        const owner = owners.get(above)
        if (owner === undefined) continue
        yield { node: { type, key }, owner }
        break
      }
    }
  }
}

/** Tells whether a record will still belong to another record after the moves. */
function ownsAfter(from: RecordKey, to: RecordKey, moved: MovedFrom): boolean {
  const record = moved.get(recordId(from))
  if (record === undefined) return true
  const key = moved.get(recordId(to))?.key ?? to.key
  return referencesOf(recordType(from.type), record.key, record.rewritten).some(
    (reference) => reference.owner && reference.type === to.type && reference.key === key,
  )
}

/** Sorts references by target. If two owners are deleted, the order of rows must not decide which is named. */
function byTarget(a: LiveReference, b: LiveReference): number {
  const [first, second] = [recordId(a.to), recordId(b.to)]
  return first < second ? -1 : first > second ? 1 : 0
}

function addOwned(
  deleted: Map<string, RecordKey & { owner?: RecordKey }>,
  { type, key }: RecordKey,
  owner: RecordKey,
): void {
  const id = recordId({ type, key })
  if (!deleted.has(id)) deleted.set(id, { type, key, owner })
}

function groupByTarget(references: readonly LiveReference[]): ReadonlyMap<string, RecordKey[]> {
  const groups = new Map<string, RecordKey[]>()
  for (const { from, to } of references) {
    const group = groups.get(recordId(to))
    if (group === undefined) groups.set(recordId(to), [from])
    else group.push(from)
  }
  for (const group of groups.values()) group.sort((a, b) => (recordId(a) < recordId(b) ? -1 : 1))
  return groups
}

/** Reports deletions that other records prevent. `stays` tells whether a referrer keeps referring to the record. */
export function stillReferenced(
  deletions: readonly Deletion[],
  stays: (referrer: RecordKey, target: RecordKey) => boolean,
): Diagnostic[] {
  return deletions.flatMap(({ type, key, referrers }) => {
    const staying = referrers.filter((referrer) => stays(referrer, { type, key }))
    if (staying.length === 0) return []
    const message = `${type}/${key} cannot be deleted: ${nameSome(staying)} refer${staying.length === 1 ? 's' : ''} to it and would stay; change or delete ${staying.length === 1 ? 'it' : 'them'} too`
    return [{ severity: 'error' as const, code: 'still-referenced', message, pointer: `/${type}` }]
  })
}

function nameSome(keys: readonly RecordKey[]): string {
  const named = keys.slice(0, 5).map(recordId).join(', ')
  return keys.length > 5 ? `${named} and ${keys.length - 5} more` : named
}
