import type { SourcePosition } from '../../../lib/diagnostic.ts'
import { entriesOf } from '../../../lib/entries.ts'
import { openGuardsOf, type OpenGuard } from '../../../plan/render/acknowledging.ts'
import {
  allChanges,
  type AccessPlan,
  type Change,
  type Impact,
  type ImpactKind,
  type Plan,
} from '../../../plan/plan.ts'
import { recordId } from '../../../records/record-id.ts'
import { packChanges, unpackOutline, type PackedChanges } from '../../../store/model/apply-changes.ts'
import { lostWith } from '../applying/lost-data.ts'
import type { ChangeList } from '../history/change-list.ts'

/** A plan whose changes are packed as in an apply, so that it takes little memory until somebody views it. */
export interface PackedPlan {
  readonly plan: PlanHead
  readonly changes: PackedChanges
}

export interface PlanHead extends Omit<Plan, 'changes' | 'access' | 'references'> {
  readonly access: Omit<AccessPlan, 'changes'>
  readonly openGuards: readonly OpenGuard[]
  /** The data that all deletes of the plan would delete. The amount is a minimum if `isLeast`. */
  readonly lost: Lost
}

export async function packPlan(plan: Plan, sources: ReadonlyMap<string, SourcePosition>): Promise<PackedPlan> {
  const { changes: _, access, references: __, ...head } = plan
  const { changes: ___, ...row } = access
  const changes = allChanges(plan)
  return {
    plan: { ...head, access: row, openGuards: openGuardsOf(plan), lost: lostBy(changes) },
    changes: await packChanges(listed(changes, sources)),
  }
}

export async function packedChangeList({ outline, parts }: PackedChanges): Promise<ChangeList> {
  return {
    outline: await unpackOutline(outline),
    fetch: (numbers) =>
      Promise.resolve(
        numbers === null
          ? parts
          : numbers.flatMap((number) => {
              const part = parts[number]
              return part === undefined ? [] : [part]
            }),
      ),
  }
}

/** The digests are only needed by an apply, and a patch follows from the bodies. */
function* listed(changes: readonly Change[], sources: ReadonlyMap<string, SourcePosition>) {
  for (const { beforeDigest: _, afterDigest: __, ...change } of changes) {
    const source = sources.get(recordId(change))
    yield { ...change, uuid: '', from: change.from ?? null, ...(source && { source }) }
  }
}

interface Lost {
  readonly counts: Impact
  /** Whether the same data may belong to records of several types, and so was counted for each of them. */
  readonly isLeast: boolean
}

/**
 * Data belongs to only one record of a type. Across types it may count twice: data of a service also belongs to its
 * characteristics.
 */
function lostBy(changes: readonly Change[]): Lost {
  const sums = new Map<ImpactKind, Map<string, number>>()
  for (const change of changes) {
    for (const [kind, count] of entriesOf(lostWith(change) ?? {})) {
      const ofTypes = sums.get(kind) ?? new Map<string, number>()
      sums.set(kind, ofTypes.set(change.type, (ofTypes.get(change.type) ?? 0) + (count ?? 0)))
    }
  }
  const counts = [...sums].map(([kind, ofTypes]) => [kind, Math.max(...ofTypes.values())] as const)
  return { counts: Object.fromEntries(counts), isLeast: [...sums.values()].some(({ size }) => size > 1) }
}
