import type { DesiredRecord, DesiredType } from '../../documents/snapshot.ts'
import type { Digest } from '../../lib/digest.ts'

export interface Diff {
  /** Keys that are wanted and not on the platform. */
  readonly missing: readonly string[]
  /** Keys that are wanted and have another digest on the platform. */
  readonly different: readonly string[]
  /** Keys on the platform that the document covers and does not want. */
  readonly surplus: readonly string[]
}

/** Compares one type by digests alone, without looking at any body. */
export function diffByDigest(
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
