import { digestOf, type Digest } from '../lib/digest.ts'
import { keyedDigests, type KeyedDigest } from './keyed-digests.ts'
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
  keyed: KeyedDigest = asItIs,
): Digest {
  const listed = (effects: readonly Effect[]) => effects.map((effect) => effectOf(effect, keyed))
  // Keys in order, lists all the way down: canonical as it is, without a sorted copy of what may be 100,000 changes.
  const states = scope.map(({ type, state }) => [type, state])
  const planned = { ...accessEffects(access, listed), domain, effects: listed(changes), scope: states }
  return digestOf(JSON.stringify(planned))
}

const asItIs: KeyedDigest = (digest) => digest

/** Nothing where grants are left alone, so that plans of the data model alone have the digests that they always had. */
function accessEffects(
  { state, changes = [] }: PlannedAccess,
  listed: (effects: readonly Effect[]) => unknown,
): object {
  return state === 'unmanaged' && changes.length === 0 ? {} : { access: { effects: listed(changes), state } }
}

function effectOf(effect: Effect, keyed: KeyedDigest) {
  const { type, key, action, from } = effect
  const { beforeDigest, afterDigest } = keyedDigests(effect, keyed)
  return [type, key, action, from ?? null, beforeDigest, afterDigest]
}
