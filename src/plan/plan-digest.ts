import { digestOf, type Digest } from '../lib/digest.ts'
import { keyedDigests, type KeyedDigest } from './keyed-digests.ts'
import { ACCESS, type RecordTypeName } from '../records/record-type.ts'
import type { AccessDiff, AccessPlan, Change, OwnPart, PlanReference, ScopeRow } from './plan.ts'

type Effect = Pick<Change, 'type' | 'key' | 'action' | 'from' | 'beforeDigest' | 'afterDigest'>

/** The effects on grants. `changes` is left out if the changes of the plan are left out. */
interface PlannedAccess extends Pick<AccessPlan, 'state'> {
  readonly changes?: readonly Effect[]
  readonly diff?: Pick<AccessDiff, 'digest'>
}

/** The effects of an apply of a plan, and the states that it depends on. */
export interface PlannedEffects {
  readonly domain: string
  readonly scope: readonly Pick<ScopeRow, 'type' | 'state'>[]
  readonly changes: readonly Effect[]
  readonly access: PlannedAccess
  readonly references: readonly PlanReference[]
  readonly own?: Pick<OwnPart, 'scope'> | undefined
}

/**
 * Equal digests mean equal effects on equal records. Positions, causes, impact counts and messages are not part of
 * the digest, because they can change while the effect stays the same.
 */
export function planDigest(planned: PlannedEffects, keyed: KeyedDigest = asItIs): Digest {
  const { references, own } = planned
  const { access, domain, effects, scope } = textsOf(planned, keyed)
  // The text is already canonical, because its keys are in order and each change is a list. So 100,000 changes need no
  // sorted copy.
  return digestOf(
    JSON.stringify({
      ...access,
      ...(planned.access.diff?.digest && { accessDiff: planned.access.diff.digest }),
      domain,
      effects,
      ...(own && { own: own.scope }),
      ...(references.length > 0 && { references: references.map((reference) => referenceOf(reference, keyed)) }),
      scope,
    }),
  )
}

function textsOf({ domain, scope, changes, access, own }: PlannedEffects, keyed: KeyedDigest) {
  const listed = (effects: readonly Effect[]) => effects.map((effect) => effectOf(effect, keyed))
  // In a plan of a part, only the types whose management it changes are effects.
  const isEffect = (type: RecordTypeName) => own?.scope.includes(type) !== false
  return {
    access: accessEffects(access, isEffect(ACCESS), listed),
    domain,
    effects: listed(changes),
    scope: scope.filter(({ type }) => isEffect(type)).map(({ type, state }) => [type, state]),
  }
}

const asItIs: KeyedDigest = (digest) => digest

/** Adds nothing if the plan leaves grants alone, so that plans of the data model alone keep their digests. */
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

function referenceOf({ type, key, digest }: PlanReference, keyed: KeyedDigest) {
  return [type, key, digest === null ? null : keyed(digest)]
}
