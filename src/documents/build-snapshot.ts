import type { Diagnostic } from '../lib/diagnostic.ts'
import { digestOf } from '../lib/digest.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import { toPointer } from '../lib/pointer.ts'
import { canonicalRecord, type MetadataDataTypes } from '../records/canonical.ts'
import { keyOf } from '../records/identity.ts'
import type { RecordBody, RecordType, RecordTypeName } from '../records/record-type.ts'
import { PLANNED_TYPES, RECORD_TYPES, recordType } from '../records/registry.ts'
import { canonicalOf, DocumentRecord } from './document-record.ts'
import { flawsIn, soundItem, soundRecord, type Flaw, type Flaws } from './checks/flaws.ts'
import type { DesiredRecord, Snapshot } from './snapshot.ts'
import { textProblem } from './checks/text-checks.ts'
import { TypeBuilder } from './type-builder.ts'

export interface SnapshotResult {
  readonly snapshot: Snapshot
  /** Records without a key that can be told: in no snapshot, and yet they refer to others. */
  readonly nameless: readonly NamelessRecord[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface NamelessRecord {
  readonly type: RecordType
  /** What is sound of it. */
  readonly body: JsonObject
  readonly written: JsonObject
  readonly pointer: string
}

/** Types that have a second spelling as a list inside their owner. */
const LINK_TYPES = new Set(RECORD_TYPES.flatMap(({ embedded = [] }) => embedded.map(({ into }) => into)))

/** Sees each record once while its canonical body is at hand. */
export type RecordVisitor = (type: RecordType, record: DesiredRecord, body: RecordBody) => void

/** The sound part of a record with flaws is taken: such a snapshot serves to find further mistakes, not to plan. */
export function buildSnapshot(
  document: JsonObject,
  metadata: MetadataDataTypes,
  flaws: Flaws,
  visit: RecordVisitor = () => {},
): SnapshotResult {
  const builder = new SnapshotBuilder(metadata, visit)
  for (const type of PLANNED_TYPES) {
    const list = document[type.name]
    if (!Array.isArray(list)) continue
    builder.coverAll(type)
    const flawed = flaws.get(type.name)
    list.forEach((input: Json, index) => {
      builder.add(type, input, { pointer: `/${type.name}/${index}`, flaw: flawed?.inside.get(String(index)) })
    })
  }
  const { nameless, diagnostics } = builder
  return { snapshot: builder.snapshot(), nameless, diagnostics }
}

/** Where a record stands, and what is wrong with it. */
interface Place {
  readonly pointer: string
  readonly flaw: Flaw | undefined
}

class SnapshotBuilder {
  readonly diagnostics: Diagnostic[] = []
  readonly nameless: NamelessRecord[] = []
  readonly #metadata: MetadataDataTypes
  readonly #visit: RecordVisitor
  readonly #types = new Map(PLANNED_TYPES.map(({ name }) => [name, new TypeBuilder()]))

  constructor(metadata: MetadataDataTypes, visit: RecordVisitor) {
    this.#metadata = metadata
    this.#visit = visit
  }

  coverAll(type: RecordType): void {
    this.#of(type.name).all = true
  }

  add(type: RecordType, record: Json, place: Place, parent: string | null = null, depth = 0): void {
    const sound = soundRecord(type, record, place.flaw, depth)
    if (sound === null) return
    const { body: input, isNamed } = sound
    const { pointer } = place
    if (!isNamed) {
      this.nameless.push({ type, body: input, written: record as JsonObject, pointer })
      return this.#addEmbedded(type, null, input, place)
    }
    const key = keyOf(type, input, parent)
    if (LINK_TYPES.has(type.name)) return this.#addLink(type, key, input, place)
    const first = this.#of(type.name).records.get(key)
    if (first !== undefined) {
      this.#duplicate(
        `${type.definition} ${JSON.stringify(key)} is described twice`,
        'duplicate-identity',
        pointer,
        first.pointer,
      )
      return
    }
    this.#set(type, key, input, pointer, depth)
    this.#addChildren(type, key, input, place, depth)
    this.#addEmbedded(type, key, input, place)
  }

  snapshot(): Snapshot {
    return this.#types
  }

  #of(name: RecordTypeName): TypeBuilder {
    const builder = this.#types.get(name)
    if (builder === undefined) throw new Error(`no such record type: ${name}`)
    return builder
  }

  #set(type: RecordType, key: string, input: JsonObject, pointer: string, depth: number): void {
    const source = { type, input, metadata: this.#metadata, depth }
    const { body } = canonicalOf(source)
    const text = JSON.stringify(body)
    if (text.includes('\\u') || text.includes('\ufeff')) this.#checkTexts(body, pointer)
    const record = new DocumentRecord(source, key, pointer, digestOf(text))
    this.#of(type.name).records.set(key, record)
    this.#visit(type, record, body)
  }

  #addChildren(type: RecordType, key: string, input: JsonObject, { pointer, flaw }: Place, depth: number): void {
    if (type.tree === undefined) return
    const field = depth === 0 ? type.tree.root : type.tree.below
    const children = input[field]
    if (!Array.isArray(children)) {
      this.#of(type.name).openNodes.add(key)
      return
    }
    const flaws = flawsIn(flaw, field)
    children.forEach((child: Json, index) =>
      this.add(
        type,
        child,
        { pointer: `${pointer}/${field}/${index}`, flaw: flaws.get(String(index)) },
        key,
        depth + 1,
      ),
    )
  }

  /** `key`: of the owner; null where it cannot be told. */
  #addEmbedded(type: RecordType, key: string | null, input: JsonObject, { pointer, flaw }: Place): void {
    for (const list of type.embedded ?? []) {
      const items = input[list.field]
      if (!Array.isArray(items)) continue
      const target = recordType(list.into)
      if (key !== null) this.#of(list.into).ownerKeys.add(key)
      this.#of(list.into).ownerIndex = target.identity.indexOf(list.ownerField)
      const flaws = flawsIn(flaw, list.field)
      items.forEach((item: Json, index) => {
        const place = { pointer: `${pointer}/${list.field}/${index}`, flaw: flaws.get(String(index)) }
        const sound = soundItem(item, place.flaw)
        if (sound !== null) this.#addItem(target, list.toRecord(input, sound), place)
      })
    }
  }

  #addItem(type: RecordType, link: JsonObject, place: Place): void {
    const isNamed = type.identity.every((field) => typeof link[field] === 'string')
    if (isNamed) this.#addLink(type, keyOf(type, link), link, place)
    else this.nameless.push({ type, body: link, written: link, pointer: place.pointer })
  }

  /** The same link may be spelled any number of times, as long as all spellings agree (semantics, section 3). */
  #addLink(type: RecordType, key: string, input: JsonObject, { pointer, flaw }: Place): void {
    const first = this.#of(type.name).records.get(key)
    if (first === undefined) return this.#set(type, key, input, pointer, 0)
    const again = canonicalRecord(type, input, this.#metadata)
    if (flaw === undefined && JSON.stringify(again.body) !== JSON.stringify(first.body)) {
      this.#duplicate(`the link ${key} is described twice, and differently`, 'conflicting-link', pointer, first.pointer)
    }
  }

  #duplicate(what: string, code: string, pointer: string, first: string | null): void {
    const message = `${what}; keep one of the two`
    this.diagnostics.push({
      severity: 'error',
      code,
      message,
      pointer,
      related: first === null ? [] : [{ pointer: first }],
    })
  }

  /**
   * Files are checked when they are read; a document that a client sent is checked here. What PostgreSQL would refuse or
   * change shows in the canonical text as an escape or as U+FEFF.
   */
  #checkTexts(value: Json, pointer: string): void {
    const problem = typeof value === 'string' ? textProblem(value) : null
    if (problem !== null)
      this.diagnostics.push({ severity: 'error', code: problem.code, message: `the text ${problem.message}`, pointer })
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) this.#checkTexts(member as Json, pointer + toPointer([key]))
  }
}
