import { recordId } from '../records/record-id.ts'
import type { Change, Plan } from './plan.ts'

/** A plan, and where in the import document its changes come from, by `type/key`. */
export interface PlacedPlan {
  readonly plan: Plan
  readonly pointers: ReadonlyMap<string, string>
}

/** A creation of which there is nothing to say but that it is one. Its body stands in the import document. */
export type BriefCreation = readonly [
  type: Change['type'],
  key: string,
  afterDigest: Change['afterDigest'],
  pointer: string | null,
]

export interface BriefPlan extends Omit<Plan, 'changes'> {
  readonly changes: readonly (Change | BriefCreation)[]
  /** Of the changes that are whole. */
  readonly pointers: { readonly [record: string]: string }
}

/** Nobody looks at more new records than this one by one. */
const MOST_WHOLE = 100

/**
 * The same plan for somebody who reads it, in far fewer bytes: a first plan is nearly all bodies of new records, on their
 * way back to where they came from.
 */
export function briefPlan({ plan, pointers }: PlacedPlan): BriefPlan {
  const plain = Map.groupBy(plan.changes.filter(isPlainCreation), ({ type }) => type)
  const isWhole = (change: Change) => !isPlainCreation(change) || (plain.get(change.type)?.length ?? 0) <= MOST_WHOLE
  const pointerOf = (change: Change) => pointers.get(recordId(change))
  const whole = [...plan.changes.filter(isWhole), ...plan.access.changes].flatMap((change) => {
    const pointer = pointerOf(change)
    return pointer === undefined ? [] : [[recordId(change), pointer] as const]
  })
  return {
    ...plan,
    changes: plan.changes.map((change) =>
      isWhole(change) ? change : [change.type, change.key, change.afterDigest, pointerOf(change) ?? null],
    ),
    pointers: Object.fromEntries(whole),
  }
}

/** The plan again, where only the bodies of its brief creations are missing. */
export function expandPlan({ pointers, ...brief }: BriefPlan): PlacedPlan {
  const found = new Map(Object.entries(pointers))
  const changes = brief.changes.map((change) => {
    if ('action' in change) return change
    const [type, key, afterDigest, pointer] = change
    if (pointer !== null) found.set(recordId({ type, key }), pointer)
    return { type, key, ...PLAIN_CREATION, afterDigest }
  })
  return { plan: { ...brief, changes }, pointers: found }
}

const PLAIN_CREATION = {
  action: 'create',
  cause: 'you',
  patch: [],
  before: null,
  after: null,
  beforeDigest: null,
  impact: {},
  guards: [],
} as const

function isPlainCreation({ action, cause, reason, secret, guards }: Change): boolean {
  return action === 'create' && cause === 'you' && reason === undefined && secret === undefined && guards.length === 0
}
