import type { Snapshot } from '../../documents/snapshot.ts'
import type { Digest } from '../../lib/digest.ts'
import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import type { DesiredDigests } from './desired-digests.ts'
import { diffByDigest } from './diff.ts'
import type { LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { Moves } from './moves.ts'

/** The records whose digests differ, over all types. `surplus` has the keys that records have on the platform now. */
export interface Work {
  readonly missing: readonly RecordKey[]
  readonly different: readonly RecordKey[]
  readonly surplus: readonly RecordKey[]
}

export function compareDigests(snapshot: Snapshot, desired: DesiredDigests, index: LiveIndex, moves: Moves): Work {
  const live = asMoved(index, moves)
  const work = { missing: [] as RecordKey[], different: [] as RecordKey[], surplus: [] as RecordKey[] }
  for (const [type, wanted] of snapshot) {
    if (wanted.coverage === 'none') continue
    const diff = diffByDigest(wanted, (record) => desired.digestOf(record), live.get(type) ?? new Map())
    const liveKey = (key: string) => moves.records.get(recordId({ type, key }))?.from ?? key
    for (const key of diff.missing) work.missing.push({ type, key })
    for (const key of diff.different) work.different.push({ type, key })
    for (const key of diff.surplus) work.surplus.push({ type, key: liveKey(key) })
  }
  return work
}

/** A digest that no record has: it makes every record that moves count as different. */
const MOVED: Digest = 'sha256:moved'

/** The platform's digests under the keys that the records will have after the moves. */
function asMoved(index: LiveIndex, { records }: Moves): LiveIndex['digests'] {
  if (records.size === 0) return index.digests
  const digests = new Map<RecordTypeName, Map<string, Digest>>(
    [...index.digests].map(([type, keys]) => [type, new Map(keys)]),
  )
  for (const { type, from } of records.values()) digests.get(type)?.delete(from)
  for (const { type, key } of records.values()) digests.get(type)?.set(key, MOVED)
  return digests
}
