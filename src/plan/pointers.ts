import type { Snapshot } from '../documents/snapshot.ts'
import type { RecordKey } from '../records/record-type.ts'

/** Finds the JSON Pointers of records in the import document. */
export interface Pointers {
  of(record: RecordKey): string | undefined
}

export function pointersInto(snapshot: Snapshot): Pointers {
  return { of: ({ type, key }) => snapshot.get(type)?.records.get(key)?.pointer ?? undefined }
}
