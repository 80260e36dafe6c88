import type { Digest } from '../lib/digest.ts'
import type { Change, Plan } from './plan.ts'

/**
 * Stands for the digest of a body that is stored: without the platform's key nobody can find out by trying which body it
 * is of. What a document creates is known to its author, so those digests stay what they are.
 */
export type KeyedDigest = (digest: Digest) => Digest

/** The digests of a change as a plan shows them. */
export function keyedDigests(
  { beforeDigest, afterDigest }: Pick<Change, 'beforeDigest' | 'afterDigest'>,
  keyed: KeyedDigest,
): Pick<Change, 'beforeDigest' | 'afterDigest'> {
  if (beforeDigest === null) return { beforeDigest, afterDigest }
  return { beforeDigest: keyed(beforeDigest), afterDigest: afterDigest === null ? null : keyed(afterDigest) }
}

/** A plan as it is shown. Its own digest is made of keyed digests already. */
export function withKeyedDigests(plan: Plan, keyed: KeyedDigest): Plan {
  const show = (change: Change): Change =>
    change.beforeDigest === null ? change : { ...change, ...keyedDigests(change, keyed) }
  return {
    ...plan,
    changes: plan.changes.map(show),
    access: { ...plan.access, changes: plan.access.changes.map(show) },
    references: plan.references.map(({ type, key, digest }) => ({
      type,
      key,
      digest: digest === null ? null : keyed(digest),
    })),
  }
}
