import type { Snapshot, DesiredRecord, DesiredType } from '../../documents/snapshot.ts'
import type { Digest } from '../../lib/digest.ts'
import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import type { DesiredDigests } from './desired-digests.ts'
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

/** A digest that no record has. It makes every record that moves count as different. */
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

interface Diff {
  /** Keys that are wanted and not on the platform. */
  readonly missing: readonly string[]
  /** Keys that are wanted and have another digest on the platform. */
  readonly different: readonly string[]
  /** Keys on the platform that the document covers and does not want. */
  readonly surplus: readonly string[]
}

/** Compares one type by digests alone, without looking at any body. */
function diffByDigest(
  desired: DesiredType,
  digestOf: (record: DesiredRecord) => Digest,
  live: ReadonlyMap<string, Digest>,
): Diff {
  const missing: string[] = []
  const different: string[] = []
  let found = 0
  for (const [key, record] of desired.records) {
    const actual = live.get(key)
    if (actual === undefined) {
      missing.push(key)
      continue
    }
    found += 1
    if (actual !== digestOf(record)) different.push(key)
  }
  return { missing, different, surplus: found === live.size ? [] : surplusOf(desired, live) }
}

function surplusOf(desired: DesiredType, live: ReadonlyMap<string, Digest>): string[] {
  return [...live.keys()].filter((key) => !desired.records.has(key) && desired.covers(key))
}
