import type { Digest } from '../lib/digest.ts'
import type { CanonicalRecord } from '../records/canonical.ts'
import type { RecordKey, RecordTypeName } from '../records/record-type.ts'
import type { DesiredSecret } from '../records/secret.ts'

/** A record as the document wants it. */
export interface DesiredRecord extends RecordKey, CanonicalRecord {
  /** Where it stands in the merged import document; null where it comes from no document. */
  readonly pointer: string | null
  /** Of the canonical body, without the secret. */
  readonly digest: Digest
  /** Null where the record type holds none. */
  readonly secret: DesiredSecret | null
  /** The uuid of a record that is brought back. */
  readonly uuid?: string
}

/** How much of a record type is ruled over: all of it, what belongs to some owners, some single records, nothing. */
export type Coverage = 'all' | 'owners' | 'listed' | 'none'

export interface DesiredType {
  readonly coverage: Coverage
  /** How many owners spell their records out, where coverage is `owners`. */
  readonly owners: number
  readonly records: ReadonlyMap<string, DesiredRecord>
  /** Whether a record that the document does not list would be deleted. */
  covers(key: string): boolean
  /** Whether some records of a type that is managed may be left alone, because a list of their owner is absent. */
  readonly leavesSomeAlone?: boolean
}

/** All that a document and the grants beside it want: the 12 record types and `access`, links stored once however they were spelled, trees flattened. */
export type Snapshot = ReadonlyMap<RecordTypeName, DesiredType>
