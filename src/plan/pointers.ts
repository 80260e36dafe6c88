import type { Snapshot } from '../documents/snapshot.ts'
import type { RecordKey } from '../records/record-type.ts'

/** Finds the JSON Pointers of records in the import document. */
export interface Pointers {
  of(record: RecordKey): string | undefined
  /** Finds a value of the metadata of a record, which the index counts in the canonical body. */
  ofMetadata(record: RecordKey, index: number): string | undefined
}

export function pointersInto(snapshot: Snapshot): Pointers {
  const recordOf = ({ type, key }: RecordKey) => snapshot.get(type)?.records.get(key)
  return {
    of: (record) => recordOf(record)?.pointer ?? undefined,
    ofMetadata: (record, index) => recordOf(record)?.metadataPointer?.(index) ?? recordOf(record)?.pointer ?? undefined,
  }
}
