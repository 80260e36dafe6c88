import type { Plan } from '../../src/plan/plan.ts'
import type { RecordTypeName } from '../../src/records/record-type.ts'
import type { AnyDocument } from './compare-bodies.ts'
import type { Counts } from './compare.ts'

/**
 * What a plan would do, counted as `compareDocuments` counts: an organization together with all of its units is one
 * record there, which is changed where any of them is.
 */
export function countsOf(plan: Plan, document: AnyDocument): { [type: string]: Counts } {
  return Object.fromEntries(plan.scope.map(({ type }) => [type, countsOfType(plan, type, document[type]?.length)]))
}

function countsOfType(plan: Plan, type: RecordTypeName, listed: number | undefined): Counts {
  const actions =
    type === 'organizations'
      ? organizationActions(plan)
      : plan.changes.filter((change) => change.type === type).map(({ action }) => action)
  const count = (wanted: string) => actions.filter((action) => action === wanted).length
  const [create, update] = [count('create'), count('update')]
  const desired = type === 'organizations' ? (listed ?? 0) : (plan.scope.find((row) => row.type === type)?.desired ?? 0)
  return { create, update, delete: count('delete'), unchanged: desired - create - update }
}

/** One action for each organization that is touched, or whose units are. */
function organizationActions({ changes }: Plan): string[] {
  const trees = Map.groupBy(
    changes.filter(({ type }) => type === 'organizations'),
    ({ key }) => key.split('/')[0] ?? '',
  )
  return [...trees].map(([root, tree]) => tree.find(({ key }) => key === root)?.action ?? 'update')
}
