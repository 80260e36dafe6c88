import type { Snapshot } from '../../documents/snapshot.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { escapePart } from '../../lib/pointer.ts'
import { keyOf, parentKey, renamed, splitKey } from '../../records/identity.ts'
import type { RecordBody, RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { referencesOf, withReference } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import type { Move } from '../../records/settings.ts'
import { readMoveEntries, type MoveEntry } from './move-entries.ts'
import type { LiveIndex, LiveRecord, LiveState } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'

/** A record that moves, under its new key, with its body before any move. */
export interface MovedRecord extends RecordKey {
  readonly from: string
  readonly before: RecordBody
  /** The body with its own identity and its references rewritten, and no other change. */
  readonly rewritten: RecordBody
  /** The moves of other records that cause this change. */
  readonly because: readonly Rename[]
}

export interface Moves {
  /** The moved records by their new `type/key`. */
  readonly records: ReadonlyMap<string, MovedRecord>
  /** The entries that cannot be carried out because both keys exist on the platform. */
  readonly taken: readonly MoveEntry[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Renames identities and everything that contains them: the keys below a node of a tree, links, and references. If
 * the platform no longer has the old key, the move is done already and has no effect.
 */
export async function planMoves(
  moved: readonly Move[],
  snapshot: Snapshot,
  index: LiveIndex,
  live: LiveState,
): Promise<Moves> {
  const { moves, taken, diagnostics } = readMoveEntries(moved, snapshot, index, live)
  if (moves.length === 0) return { records: new Map(), taken, diagnostics }
  const renames = renamesOf(moves, index)
  const explicit = [...renames.values()].map(({ type, from }) => ({ type, key: from }))
  const referrers = (await live.referrers(explicit)).map(({ from }) => from)
  const affected = new Map([...explicit, ...referrers].map((key) => [recordId(key), key]))
  const bodies = await live.records([...affected.values()])
  const records = bodies.map((record) => moveRecord(record, renames))
  return { records: new Map(records.map((record) => [recordId(record), record])), taken, diagnostics }
}

interface Rename {
  readonly type: RecordTypeName
  readonly from: string
  readonly to: string
}

/** The moves, by the old `type/key`. In a tree they include all nodes below. The entry nearest to a node decides. */
function renamesOf(moves: readonly Move[], index: LiveIndex): ReadonlyMap<string, Rename> {
  const renames = new Map(moves.map(({ type, from, to }) => [recordId({ type, key: from }), { type, from, to }]))
  for (const type of new Set(moves.map((move) => move.type))) {
    if (recordType(type).tree === undefined) continue
    for (const key of index.digests.get(type)?.keys() ?? []) {
      const id = recordId({ type, key })
      for (let node = parentKey(key); node !== null && !renames.has(id); node = parentKey(node)) {
        const above = renames.get(recordId({ type, key: node }))
        if (above !== undefined) renames.set(id, { type, from: key, to: above.to + key.slice(node.length) })
      }
    }
  }
  return renames
}

function moveRecord({ type: name, key: from, body }: LiveRecord, renames: ReadonlyMap<string, Rename>): MovedRecord {
  const type = recordType(name)
  const own = renames.get(recordId({ type: name, key: from }))
  let rewritten = own === undefined || keepsName(own) ? body : renamed(type, body, own.to)
  const because: Rename[] = []
  for (const reference of referencesOf(type, from, body)) {
    const rename = renames.get(recordId(reference))
    if (rename === undefined || reference.path.length === 0) continue
    rewritten = withReference(rewritten, reference.path, reference.isKey ? rename.to : (splitKey(rename.to)[0] ?? ''))
    because.push(rename)
  }
  const key = own?.to ?? (type.tree ? from : keyOf(type, rewritten))
  return { type: name, key, from, before: body, rewritten, because }
}

/** Tells whether a node only gets another parent. Its body stays the same, because it does not name the nodes above. */
function keepsName({ type, from, to }: Rename): boolean {
  return recordType(type).tree !== undefined && lastPart(from) === lastPart(to)
}

function lastPart(key: string): string {
  return escapePart(splitKey(key).at(-1) ?? '')
}
