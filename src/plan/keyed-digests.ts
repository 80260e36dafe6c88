import type { Digest } from '../lib/digest.ts'
import type { Change, Plan } from './plan.ts'

/**
 * Replaces the digest of a stored body with a digest that is made with the platform's key. Without the key, nobody
 * can guess the body by trying values. The digest of a creation stays as it is, because the author of the document
 * knows the body.
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

/** A plan as it is shown. Its own digest is already made of keyed digests. */
export function withKeyedDigests(plan: Plan, keyed: KeyedDigest): Plan {
  const show = (change: Change): Change =>
    change.beforeDigest === null ? change : { ...change, ...keyedDigests(change, keyed) }
  return {
    ...plan,
    changes: plan.changes.map(show),
    access: { ...plan.access, changes: plan.access.changes.map(show) },
    ...(plan.own && { own: { ...plan.own, waitsFor: plan.own.waitsFor.map(shownDigest(keyed)) } }),
    references: plan.references.map(shownDigest(keyed)),
  }
}

function shownDigest(keyed: KeyedDigest) {
  return <Row extends { readonly digest: Digest | null }>(row: Row): Row =>
    row.digest === null ? row : { ...row, digest: keyed(row.digest) }
}
