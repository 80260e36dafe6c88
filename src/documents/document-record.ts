import type { Digest } from '../lib/digest.ts'
import type { JsonObject } from '../lib/json.ts'
import { canonicalRecord, type CanonicalRecord, type MetadataDataTypes } from '../records/canonical.ts'
import type { RecordBody, RecordType, RecordTypeName } from '../records/record-type.ts'
import { GENERATED, isUnresolvedReference, Secret, type DesiredSecret } from '../records/secret.ts'
import { metadataPointers } from './checks/metadata-rules.ts'
import type { DesiredRecord, Coverage, DesiredType } from './snapshot.ts'
import { isBelowAny } from '../records/identity.ts'

/** The input of a record, and everything that its canonical form depends on. */
interface RecordSource {
  readonly type: RecordType
  readonly input: JsonObject
  readonly metadata: MetadataDataTypes
  readonly depth: number
}

export function canonicalOf({ type, input, metadata, depth }: RecordSource): CanonicalRecord {
  return canonicalRecord(type, input, metadata, depth)
}

/**
 * A record in the state that its document wants. It stores the digest, but not always the body. The body is computed
 * again when it is needed, which is rare: most records of a plan do not differ.
 */
export class DocumentRecord implements DesiredRecord {
  readonly key: string
  readonly pointer: string
  readonly digest: Digest
  readonly secret: DesiredSecret | null
  readonly #source: RecordSource
  #canonical: CanonicalRecord | null

  constructor(
    source: RecordSource,
    key: string,
    pointer: string,
    digest: Digest,
    canonical: CanonicalRecord | null = null,
  ) {
    this.#source = source
    this.#canonical = canonical
    this.key = key
    this.pointer = pointer
    this.digest = digest
    this.secret = secretOf(source)
  }

  get type(): RecordTypeName {
    return this.#source.type.name
  }

  /** The record as written in the document, with its secret. */
  get written(): JsonObject {
    return this.#source.input
  }

  get body(): RecordBody {
    return this.#makeCanonical().body
  }

  get untouched(): readonly string[] {
    return this.#makeCanonical().untouched
  }

  metadataPointer(index: number): string {
    return metadataPointers(this.pointer, this.#source.input)(index, 'value')
  }

  #makeCanonical(): CanonicalRecord {
    return (this.#canonical ??= canonicalOf(this.#source))
  }
}

function secretOf({ type, input }: RecordSource): DesiredSecret | null {
  const text = type.secret === undefined ? undefined : input[type.secret]
  if (typeof text !== 'string') return null
  if (text === GENERATED) return 'generated'
  return isUnresolvedReference(text) ? 'unresolved' : new Secret(text)
}

/** Collects the records of one type while a document is read. */
export class TypeBuilder implements DesiredType {
  all = false
  ownerIndex = 0
  readonly records = new Map<string, DocumentRecord>()
  /** The owners whose embedded list is present. */
  readonly ownerKeys = new Set<string>()
  /** The nodes of a tree without a list of children. Their children are not managed. */
  readonly openNodes = new Set<string>()

  get owners(): number {
    return this.ownerKeys.size
  }

  get leavesSomeAlone(): boolean {
    return this.coverage === 'owners' || this.openNodes.size > 0
  }

  get coverage(): Coverage {
    if (this.all) return 'all'
    return this.owners > 0 ? 'owners' : 'none'
  }

  covers(key: string): boolean {
    if (!this.all) return this.ownerKeys.has(key.split('/')[this.ownerIndex] ?? '')
    return this.openNodes.size === 0 || !isBelowAny(key, this.openNodes)
  }
}
