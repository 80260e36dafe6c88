import type { Snapshot } from '../../documents/snapshot.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import type { DesiredDigests } from './desired-digests.ts'
import { byTypeAndKey } from './draft-changes.ts'
import type { LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { NotCompared } from '../plan.ts'

/**
 * The records that no change is planned for, and of which nobody can say that they are as the document wants them:
 * `changed` have a change, which says the same of itself.
 */
export function notCompared(
  snapshot: Snapshot,
  { secrets }: DesiredDigests,
  { digests }: LiveIndex,
  changed: readonly RecordKey[],
): NotCompared[] {
  const ids = new Set(changed.map(recordId))
  const found: NotCompared[] = []
  for (const [type, { records }] of snapshot) {
    const { secret: field } = recordType(type)
    if (field === undefined) continue
    for (const key of records.keys()) {
      const id = recordId({ type, key })
      const reason = secrets.get(id)?.notCompared
      if (reason === undefined || ids.has(id) || digests.get(type)?.has(key) !== true) continue
      found.push({ type, key, field, reason })
    }
  }
  return found.sort(byTypeAndKey)
}
