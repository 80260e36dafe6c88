import type { DesiredRecord, DesiredType } from '../../documents/snapshot.ts'
import type { Digest } from '../../lib/digest.ts'

export interface Diff {
  /** Wanted, and not there. */
  readonly missing: readonly string[]
  /** There, with another digest. */
  readonly different: readonly string[]
  /** There, not wanted, and covered by the document. */
  readonly surplus: readonly string[]
}

/** Compares by digest alone: no body is looked at where nothing changed. */
export function diffByDigest(
  desired: DesiredType,
  digestOf: (record: DesiredRecord) => Digest,
  live: ReadonlyMap<string, Digest>,
): Diff {
  const missing: string[] = []
  const different: string[] = []
  const surplus: string[] = []
  for (const [key, record] of desired.records) {
    const actual = live.get(key)
    if (actual === undefined) missing.push(key)
    else if (actual !== digestOf(record)) different.push(key)
  }
  for (const key of live.keys()) {
    if (!desired.records.has(key) && desired.covers(key)) surplus.push(key)
  }
  return { missing, different, surplus }
}
