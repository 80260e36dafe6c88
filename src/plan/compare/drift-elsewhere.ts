import type { Snapshot } from '../../documents/snapshot.ts'
import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { referencesOf } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import { liveKey } from '../guards/data-questions.ts'
import type { Draft } from './draft-changes.ts'
import { plannedDrift, rulesOver } from './field-drift.ts'
import { differs, type KeptDrift } from './kept-drift.ts'
import type { Drift, LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'

/**
 * Finds the drift of records in lists that the document leaves out. An apply decides nothing about that drift, though
 * it may move or delete some of the records. `drafts` are all changes that the document asks for.
 */
export function driftElsewhere(snapshot: Snapshot, index: LiveIndex, drafts: readonly Draft[]): KeptDrift[] {
  if (index.drift.size === 0) return []
  const drafted = new Map(
    drafts.filter(({ before }) => before !== null).map((draft) => [recordId(liveKey(draft)), draft]),
  )
  const isDeleted = (record: RecordKey) => drafted.get(recordId(record))?.after === null
  return plannedDrift(snapshot, index).flatMap(({ at, drift, desired }) => {
    const draft = drafted.get(recordId(at))
    const { key } = draft ?? at
    const isGone = isDeleted(at) || ownersOf(at, drift).some(isDeleted)
    return isGone || rulesOver(desired, key) ? [] : [{ ...drift, type: at.type, key, base: baseAfter(drift, draft) }]
  })
}

function ownersOf({ type, key }: RecordKey, { base }: Drift): RecordKey[] {
  return base === null ? [] : referencesOf(recordType(type), key, base).filter(({ owner }) => owner)
}

/** Applies a change that follows from a move to the base as well, so that it does not count as drift later. */
function baseAfter({ base }: Drift, draft: Draft | undefined): RecordBody | null {
  if (base === null || !draft?.after) return base
  const { before, after } = draft
  const rewritten = Object.entries(after).filter(([name]) => differs(name, before, after))
  return { ...base, ...Object.fromEntries(rewritten) }
}
