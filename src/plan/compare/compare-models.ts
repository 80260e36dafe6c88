import type { Snapshot } from '../../documents/snapshot.ts'
import type { Settings } from '../../records/settings.ts'
import { compareDigests } from './compare.ts'
import { planDeletions, type Deletion } from './deletions.ts'
import { desiredDigests, type DesiredDigests } from './desired-digests.ts'
import { draftChanges, fetchBodies, type Draft, type LiveBodies } from './draft-changes.ts'
import { driftedRecords, openRecords, type DriftedRecord } from './field-drift.ts'
import type { LiveIndex, LiveState } from '../live-state.ts'
import { planMoves, type Moves } from './moves.ts'

/** The document beside the platform, and every change that would make the platform equal to the document. */
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
