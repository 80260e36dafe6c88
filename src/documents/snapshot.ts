import type { Digest } from '../lib/digest.ts'
import type { CanonicalRecord } from '../records/canonical.ts'
import type { RecordKey, RecordTypeName } from '../records/record-type.ts'
import type { DesiredSecret } from '../records/secret.ts'

/** A record as the document wants it. */
export interface DesiredRecord extends RecordKey, CanonicalRecord {
  /** The JSON Pointer into the merged import document; null if the record comes from no document. */
  readonly pointer: string | null
  /** The JSON Pointer of a value of its metadata, which the index counts in the canonical body. */
  metadataPointer?(index: number): string
  /** The digest of the canonical body, without the secret. */
  readonly digest: Digest
  /** Null if the record type has no secret. */
  readonly secret: DesiredSecret | null
  /** The uuid of a deleted record that is restored. */
  readonly uuid?: string
}

/**
 * How much of a record type the document manages: all of it, the records of some owners, single listed records, or
 * nothing.
 */
export type Coverage = 'all' | 'owners' | 'listed' | 'none'

export interface DesiredType {
  readonly coverage: Coverage
  /** The number of owners that list their records, where the coverage is `owners`. */
  readonly owners: number
  readonly records: ReadonlyMap<string, DesiredRecord>
  /** Tells whether a record that the document does not list would be deleted. */
  covers(key: string): boolean
  /** Whether some records of a managed type may be left alone, because a list of their owner is absent. */
  readonly leavesSomeAlone?: boolean
}

/**
 * All records that a document and the grants beside it want, by record type. Links are stored once, in whichever way
 * they were written, and trees are flattened.
 */
export type Snapshot = ReadonlyMap<RecordTypeName, DesiredType>
