import { digestOf, type Digest } from '../lib/digest.ts'
import type { Change, ScopeRow } from './plan.ts'

type Effect = Pick<Change, 'type' | 'key' | 'action' | 'from' | 'beforeDigest' | 'afterDigest'>

/**
 * Equal digests mean equal effects (semantics, section 6). What moves by itself is left out: positions, causes, impact
 * counts, messages.
 */
export function planDigest(
  domain: string,
  scope: readonly Pick<ScopeRow, 'type' | 'state'>[],
  changes: readonly Effect[],
): Digest {
  const effects = changes.map(({ type, key, action, from = null, beforeDigest, afterDigest }) => [
    type,
    key,
    action,
    from,
    beforeDigest,
    afterDigest,
  ])
  // Keys in order, lists all the way down: canonical as it is, without a sorted copy of what may be 100,000 changes.
  return digestOf(JSON.stringify({ domain, effects, scope: scope.map(({ type, state }) => [type, state]) }))
}
