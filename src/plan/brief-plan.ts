import { recordId } from '../records/record-id.ts'
import type { Change, Plan } from './plan.ts'

/** A plan, and the JSON Pointers into the import document of its changes, by `type/key`. */
export interface PlanWithPointers {
  readonly plan: Plan
  readonly pointers: ReadonlyMap<string, string>
}

/** A creation without cause, secret or guard to show. Its body is left out, since the import document has it. */
type BriefCreation = readonly [
  type: Change['type'],
  key: string,
  afterDigest: Change['afterDigest'],
  pointer: string | null,
]

export interface BriefPlan extends Omit<Plan, 'changes'> {
  readonly changes: readonly (Change | BriefCreation)[]
  /** The pointers of the changes that are not brief, by `type/key`. */
  readonly pointers: { readonly [record: string]: string }
}

/** If a type has more plain creations than this, all of them are made brief. */
const MOST_WHOLE = 100

/** Makes a plan smaller for a reader with the import document, which has the bodies of new records. */
export function briefPlan({ plan, pointers }: PlanWithPointers): BriefPlan {
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

/** Restores a plan from its brief form, except for the bodies of the brief creations. */
export function expandPlan({ pointers, ...brief }: BriefPlan): PlanWithPointers {
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
