import { isReplaced, type Change } from '../../../plan/plan.ts'
import type { RecordBody } from '../../../records/record-type.ts'
import { recordType } from '../../../records/registry.ts'
import type { DriftRow } from '../../../store/model/drift.ts'
import type { DomainContext } from '../../domain-context.ts'

/** The drift rows of changes that were not made on behalf of the owner of their types. */
export function driftRows(
  { actorName: actor, now }: Pick<DomainContext, 'actorName' | 'now'>,
  changes: readonly Change[],
): DriftRow[] {
  const changedAt = now()
  const author = { actor, at: changedAt.toISOString() }
  const row = ({ type }: Change, key: string, base: RecordBody | null, names: readonly string[]): DriftRow => ({
    type,
    key,
    base,
    actor,
    changedAt,
    fields: Object.fromEntries(names.map((name) => [name, author])),
  })
  return changes.flatMap((change) => {
    const { key, from = key, before } = change
    const names = changedFields(change)
    if (from === key) return [row(change, key, before, names)]
    return [row(change, from, before, names), row(change, key, null, names)]
  })
}

/** The names of the changed fields, including the secret. */
function changedFields({ type, before, after, secret }: Change): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const { secret: secretField } = recordType(type)
  const replaced = secretField !== undefined && isReplaced(secret) ? [secretField] : []
  const isChanged = (name: string) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name])
  return [...[...names].filter(isChanged), ...replaced]
}
