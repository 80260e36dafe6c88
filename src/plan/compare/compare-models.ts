import type { Snapshot } from '../../documents/snapshot.ts'
import type { Settings } from '../../records/settings.ts'
import { compareDigests } from './compare-digests.ts'
import { planDeletions, type Deletion } from './deletions.ts'
import { desiredDigests, type DesiredDigests } from './desired-digests.ts'
import { draftChanges, fetchBodies, type Draft, type LiveBodies, byTypeAndKey } from './draft-changes.ts'
import { driftedRecords, openRecords, type DriftedRecord } from './field-drift.ts'
import type { LiveIndex, LiveState } from '../live-state.ts'
import { planMoves, type Moves } from './moves.ts'
import type { RecordKey } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { recordId } from '../../records/record-id.ts'
import type { NotCompared } from '../plan.ts'

/** The document and the platform, and every change that would make the platform equal to the document. */
export interface ComparedModels {
  readonly snapshot: Snapshot
  readonly index: LiveIndex
  readonly moves: Moves
  readonly desired: DesiredDigests
  readonly deletions: readonly Deletion[]
  readonly drifted: readonly DriftedRecord[]
  readonly bodies: LiveBodies
  readonly all: readonly Draft[]
}

/** Compares digests first, and asks for bodies only where digests differ. */
export async function compareModels(
  snapshot: Snapshot,
  live: LiveState,
  moved: Settings['moved'],
): Promise<ComparedModels> {
  const index = await live.index()
  const moves = await planMoves(moved, snapshot, index, live)
  const desired = await desiredDigests(snapshot, moves, live)
  const work = compareDigests(snapshot, desired, index, moves)
  const deletions = await planDeletions(work.surplus, index, live, moves)
  const drifted = driftedRecords(snapshot, index, moves)
  const bodies = await fetchBodies({ moves, work, deletions }, openRecords(drifted), live)
  const all = draftChanges({ snapshot, index, moves, desired, work, deletions }, bodies)
  return { snapshot, index, moves, desired, deletions, drifted, bodies, all }
}

/**
 * The records without a planned change whose secrets could not be compared. It is unknown whether they are as the
 * document wants them. `changed` are the records that have a change: the change itself says whether its secret was
 * compared.
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
