import { digestOf, type Digest } from '../lib/digest.ts'
import type { AccessPlan, Change, ScopeRow } from './plan.ts'

type Effect = Pick<Change, 'type' | 'key' | 'action' | 'from' | 'beforeDigest' | 'afterDigest'>

/** Without its changes where those of the plan are left out too. */
export interface PlannedAccess extends Pick<AccessPlan, 'state'> {
  readonly changes?: readonly Effect[]
}

/**
 * Equal digests mean equal effects (semantics, section 6). What moves by itself is left out: positions, causes, impact
 * counts, messages.
 */
export function planDigest(
  domain: string,
  scope: readonly Pick<ScopeRow, 'type' | 'state'>[],
  changes: readonly Effect[],
  access: PlannedAccess,
): Digest {
  // Keys in order, lists all the way down: canonical as it is, without a sorted copy of what may be 100,000 changes.
  const states = scope.map(({ type, state }) => [type, state])
  return digestOf(JSON.stringify({ ...accessEffects(access), domain, effects: changes.map(effectOf), scope: states }))
}

/** Nothing where grants are left alone, so that plans of the data model alone have the digests that they always had. */
function accessEffects({ state, changes = [] }: PlannedAccess): object {
  return state === 'unmanaged' && changes.length === 0 ? {} : { access: { effects: changes.map(effectOf), state } }
}

function effectOf({ type, key, action, from, beforeDigest, afterDigest }: Effect) {
  return [type, key, action, from ?? null, beforeDigest, afterDigest]
}
