import type { Change, Plan } from './plan.ts'

/** Nobody reads the bodies of more new records than this; they are in the files. */
const MOST_BODIES = 100

/**
 * The same plan without the bodies of creations, in record types that have very many of them and where there is nothing
 * to say about each. A first plan is nearly all such bodies, on their way back to where they came from.
 */
export function briefPlan(plan: Plan): Plan {
  const plain = Map.groupBy(plan.changes.filter(isPlainCreation), ({ type }) => type)
  const isMany = (change: Change) => isPlainCreation(change) && (plain.get(change.type)?.length ?? 0) > MOST_BODIES
  return { ...plan, changes: plan.changes.map((change) => (isMany(change) ? { ...change, after: null } : change)) }
}

function isPlainCreation({ action, cause, reason, secret, guards }: Change): boolean {
  return action === 'create' && cause === 'you' && reason === undefined && secret === undefined && guards.length === 0
}
