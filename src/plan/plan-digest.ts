import { digestOf, type Digest } from '../lib/digest.ts'
import { keyedDigests, type KeyedDigest } from './keyed-digests.ts'
import { ACCESS, type RecordTypeName } from '../records/record-type.ts'
import type { AccessPlan, Change, OwnPart, ScopeRow } from './plan.ts'

type Effect = Pick<Change, 'type' | 'key' | 'action' | 'from' | 'beforeDigest' | 'afterDigest'>

/** The effects on grants. `changes` is left out where those of the plan are. */
export interface PlannedAccess extends Pick<AccessPlan, 'state'> {
  readonly changes?: readonly Effect[]
}

/**
 * Equal digests mean equal effects (semantics, section 6). Positions, causes, impact counts and messages are left
 * out, because they change without any change of the effect.
 */
export function planDigest(
  domain: string,
  scope: readonly Pick<ScopeRow, 'type' | 'state'>[],
  changes: readonly Effect[],
  access: PlannedAccess,
  keyed: KeyedDigest = asItIs,
  own?: Pick<OwnPart, 'scope'>,
): Digest {
  const listed = (effects: readonly Effect[]) => effects.map((effect) => effectOf(effect, keyed))
  // The text is canonical as it is, with keys in order and lists inside, so that up to 100,000 changes need no sorted
  // copy.
  // Of a part of a document, only the record types whose management it changes are effects.
  const isEffect = (type: RecordTypeName) => own?.scope.includes(type) !== false
  const states = scope.filter(({ type }) => isEffect(type)).map(({ type, state }) => [type, state])
  const planned = {
    ...accessEffects(access, isEffect(ACCESS), listed),
    domain,
    effects: listed(changes),
    scope: states,
  }
  return digestOf(JSON.stringify(planned))
}

const asItIs: KeyedDigest = (digest) => digest

/** Adds nothing where grants are left alone, so that plans of the data model alone keep their digests. */
function accessEffects(
  { state, changes = [] }: PlannedAccess,
  isEffect: boolean,
  listed: (effects: readonly Effect[]) => unknown,
): object {
  if (changes.length === 0 && (state === 'unmanaged' || !isEffect)) return {}
  return { access: { effects: listed(changes), ...(isEffect && { state }) } }
}

function effectOf(effect: Effect, keyed: KeyedDigest) {
  const { type, key, action, from } = effect
  const { beforeDigest, afterDigest } = keyedDigests(effect, keyed)
  return [type, key, action, from ?? null, beforeDigest, afterDigest]
}
