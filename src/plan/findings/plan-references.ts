import { metadataItems } from '../../documents/checks/metadata-rules.ts'
import { joinKey } from '../../records/identity.ts'
import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { referencesOf } from '../../records/references.ts'
import { RECORD_TYPES, recordType } from '../../records/registry.ts'
import { byTypeAndKey } from '../compare/draft-changes.ts'
import type { LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'
import type { Change, PlanReference } from '../plan.ts'

/**
 * The records that the changes refer to without changing them, with the digests that they must still have at the
 * apply. A MetadataType that does not exist is listed with null, because its absence also matters.
 */
export function referencedRecords(changes: readonly Change[], index: LiveIndex): PlanReference[] {
  const found = new Map<string, PlanReference>()
  const add = ({ type, key }: RecordKey, isListedAbsent: boolean): void => {
    const id = recordId({ type, key })
    if (found.has(id)) return
    const digest = digestOf({ type, key }, index)
    if (digest !== null || isListedAbsent) found.set(id, { type, key, digest })
  }
  for (const { type, key, after } of changes) {
    if (after === null) continue
    for (const target of referencesOf(recordType(type), key, after)) add(target, false)
    for (const ruler of rulersOf({ type, key }, after)) add(ruler, true)
  }
  const types = new Set(Array.from(found.values(), ({ type }) => type))
  for (const change of changes) if (types.has(change.type)) found.delete(recordId(change))
  return [...found.values()].sort(byTypeAndKey)
}

function digestOf({ type, key }: RecordKey, index: LiveIndex): PlanReference['digest'] {
  return index.digests.get(type)?.get(key) ?? null
}

const RULING = RECORD_TYPES.find(({ metadataRule }) => metadataRule !== undefined)

/** The keys of the MetadataTypes for the metadata of a record, whether or not they exist. */
function rulersOf({ type, key }: RecordKey, body: RecordBody): RecordKey[] {
  if (RULING === undefined) return []
  const { name } = RULING
  return metadataItems(recordType(type), key, body).map((item) => ({
    type: name,
    key: joinKey([item.entity, item.key]),
  }))
}
