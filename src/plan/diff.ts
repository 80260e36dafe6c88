import type { Digest } from '../lib/digest.ts'

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
  desired: ReadonlyMap<string, Digest>,
  live: ReadonlyMap<string, Digest>,
  covers: (key: string) => boolean,
): Diff {
  const missing: string[] = []
  const different: string[] = []
  const surplus: string[] = []
  for (const [key, digest] of desired) {
    const actual = live.get(key)
    if (actual === undefined) missing.push(key)
    else if (actual !== digest) different.push(key)
  }
  for (const key of live.keys()) {
    if (!desired.has(key) && covers(key)) surplus.push(key)
  }
  return { missing, different, surplus }
}
