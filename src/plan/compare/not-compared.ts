import type { Snapshot } from '../../documents/snapshot.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import type { DesiredDigests } from './desired-digests.ts'
import { byTypeAndKey } from './draft-changes.ts'
import type { LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { NotCompared } from '../plan.ts'

/**
 * The records without a planned change whose secrets could not be compared, so that it is unknown whether they are as
 * the document wants them. `changed` are the records that have a change; a change carries this information itself.
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
