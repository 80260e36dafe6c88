import type { Digest } from '../lib/digest.ts'
import type { CanonicalRecord } from '../records/canonical.ts'
import type { RecordKey, RecordTypeName } from '../records/record-type.ts'
import type { DesiredSecret } from '../records/secret.ts'

/** A record in the state that the document wants. */
export interface DesiredRecord extends RecordKey, CanonicalRecord {
  /** The JSON Pointer into the merged import document; null if the record comes from no document. */
  readonly pointer: string | null
  /** The JSON Pointer of a value of its metadata. The index is that in the canonical body. */
  metadataPointer?(index: number): string
  /** The digest of the canonical body, without the secret. */
  readonly digest: Digest
  /** Null if the record type has no secret. */
  readonly secret: DesiredSecret | null
  /** The uuid of a deleted record that is restored. */
  readonly uuid?: string
}

/** How much of a record type the document manages: all records, the records of some owners, listed ones, or none. */
export type Coverage = 'all' | 'owners' | 'listed' | 'none'

export interface DesiredType {
  readonly coverage: Coverage
  /** The number of owners that list their records, if the coverage is `owners`. */
  readonly owners: number
  readonly records: ReadonlyMap<string, DesiredRecord>
  /** Tells whether a record is deleted if the document does not list it. */
  covers(key: string): boolean
  /** Whether some records of a managed type are not managed, because their owner has no list of them. */
  readonly leavesSomeAlone?: boolean
}

/** All records that a document and its grants want, by record type. Links are stored once, and trees are flattened. */
export type Snapshot = ReadonlyMap<RecordTypeName, DesiredType>
