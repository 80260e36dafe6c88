import type { Diagnostic } from '../lib/diagnostic.ts'
import { digestOf } from '../lib/digest.ts'
import type { Json, JsonObject } from '../lib/json.ts'
import { toPointer } from '../lib/pointer.ts'
import { canonicalRecord, type MetadataDataTypes } from '../records/canonical.ts'
import { keyFieldsOf, keyOf } from '../records/identity.ts'
import type { RecordBody, RecordType, RecordTypeName } from '../records/record-type.ts'
import { PLANNED_TYPES, RECORD_TYPES, recordType } from '../records/registry.ts'
import { canonicalOf, DocumentRecord, TypeBuilder } from './document-record.ts'
import { LONGEST_KEY, MOST_PATH_BYTES } from './checks/record-rules.ts'
import { flawsIn, soundItem, soundRecord, type Flaws, type Occurrence } from './checks/flaws.ts'
import type { DesiredRecord, Snapshot } from './snapshot.ts'
import { lengthProblem, MOST_CHARACTERS, textProblem } from './checks/text-checks.ts'

interface SnapshotResult {
  readonly snapshot: Snapshot
  /** Records whose key is unknown. They are in no snapshot, but their references to other records can be checked. */
  readonly nameless: readonly NamelessRecord[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface NamelessRecord {
  readonly type: RecordType
  /** The members of the record without flaws. */
  readonly body: JsonObject
  readonly written: JsonObject
  readonly pointer: string
  /** The depth of the record in its tree. */
  readonly depth: number
}

/** Link types whose records may also be written as a list inside their owner. */
const LINK_TYPES = new Set(RECORD_TYPES.flatMap(({ embedded = [] }) => embedded.map(({ into }) => into)))

/**
 * The maximum number of bodies that are kept. Keeping a body is cheaper than making it again, but too many would fill
 * the memory of a plan that hardly changes anything.
 */
const MOST_BODIES = 10_000

/** Is called once for each record with its canonical body and its written form. */
type RecordVisitor = (type: RecordType, record: DesiredRecord, body: RecordBody, written: JsonObject) => void

/**
 * Builds a snapshot. If a record has flaws, only its sound members are used. Such a snapshot helps to find further
 * mistakes, but cannot be planned.
 */
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
    const flawed = flaws.get(type.name)?.inside
    const above = `/${type.name}/`
    list.forEach((input: Json, index) => {
      builder.add(type, input, { pointer: above + index, flaw: flawed?.get(String(index)) })
    })
  }
  const { nameless, diagnostics } = builder
  return { snapshot: builder.snapshot(), nameless, diagnostics }
}

class SnapshotBuilder {
  readonly diagnostics: Diagnostic[] = []
  readonly nameless: NamelessRecord[] = []
  readonly #metadata: MetadataDataTypes
  readonly #visit: RecordVisitor
  readonly #types = new Map(PLANNED_TYPES.map(({ name }) => [name, new TypeBuilder()]))
  #built = 0

  constructor(metadata: MetadataDataTypes, visit: RecordVisitor) {
    this.#metadata = metadata
    this.#visit = visit
  }

  coverAll(type: RecordType): void {
    this.#of(type.name).all = true
  }

  add(type: RecordType, record: Json, occurrence: Occurrence, parent: string | null = null, depth = 0): void {
    const sound = soundRecord(type, record, occurrence.flaw, depth)
    if (sound === null) return
    const { body: input, written, isNamed } = sound
    const { pointer } = occurrence
    // Records below a record without a key have no key either.
    const key = isNamed && (depth === 0 || parent !== null) ? keyOf(type, input, parent) : null
    if (key === null || isTooLong(key, parent)) {
      this.nameless.push({ type, body: input, written, pointer, depth })
      this.#addChildren(type, null, input, occurrence, depth)
      return this.#addEmbedded(type, null, input, occurrence)
    }
    if (depth > 0 && Buffer.byteLength(key) > MOST_PATH_BYTES) return this.#tooDeep(key, pointer)
    if (LINK_TYPES.has(type.name)) return this.#addLink(type, key, input, occurrence)
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
    this.#addChildren(type, key, input, occurrence, depth)
    this.#addEmbedded(type, key, input, occurrence)
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
    const canonical = canonicalOf(source)
    const { body } = canonical
    const text = JSON.stringify(body)
    if (text.length > MOST_CHARACTERS.text || text.includes('\\u') || text.includes('\ufeff'))
      this.#checkTexts(body, pointer)
    if (text.length > MOST_CHARACTERS.record) {
      const message = `the record has ${text.length} characters as JSON; at most ${MOST_CHARACTERS.record} are possible`
      this.diagnostics.push({ severity: 'error', code: 'record-too-large', message, pointer })
    }
    const kept = this.#built < MOST_BODIES ? canonical : null
    const record = new DocumentRecord(source, key, pointer, digestOf(text), kept)
    this.#built += 1
    this.#of(type.name).records.set(key, record)
    this.#visit(type, record, body, input)
  }

  /** Adds the children of a node of a tree. `key` is the key of the node; null if it is unknown. */
  #addChildren(
    type: RecordType,
    key: string | null,
    input: JsonObject,
    { pointer, flaw }: Occurrence,
    depth: number,
  ): void {
    if (type.tree === undefined) return
    const field = depth === 0 ? type.tree.root : type.tree.below
    const children = input[field]
    if (!Array.isArray(children)) {
      if (key !== null) this.#of(type.name).openNodes.add(key)
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

  /** Adds the records of the embedded lists. `key` is the key of the owner; null if it is unknown. */
  #addEmbedded(type: RecordType, key: string | null, input: JsonObject, { pointer, flaw }: Occurrence): void {
    const owner = key === null ? withoutKey(type, input) : input
    for (const list of type.embedded ?? []) {
      const items = input[list.field]
      if (!Array.isArray(items)) continue
      const target = recordType(list.into)
      if (key !== null) this.#of(list.into).ownerKeys.add(key)
      this.#of(list.into).ownerIndex = target.identity.indexOf(list.ownerField)
      const flaws = flawsIn(flaw, list.field)
      items.forEach((item: Json, index) => {
        const occurrence = { pointer: `${pointer}/${list.field}/${index}`, flaw: flaws.get(String(index)) }
        const sound = soundItem(item, occurrence.flaw)
        if (sound !== null) this.#addItem(target, list.toRecord(owner, sound), occurrence)
      })
    }
  }

  #addItem(type: RecordType, link: JsonObject, occurrence: Occurrence): void {
    const isNamed = type.identity.every((field) => typeof link[field] === 'string')
    if (isNamed) this.#addLink(type, keyOf(type, link), link, occurrence)
    else this.nameless.push({ type, body: link, written: link, pointer: occurrence.pointer, depth: 0 })
  }

  /** A link may be written several times if all spellings agree. A field that one omits has another one's value. */
  #addLink(type: RecordType, key: string, input: JsonObject, { pointer, flaw }: Occurrence): void {
    const first = this.#of(type.name).records.get(key)
    if (first === undefined) return this.#set(type, key, input, pointer, 0)
    if (flaw !== undefined) return
    const { written } = first
    const { body } = canonicalRecord(type, input, this.#metadata)
    const fields = Object.keys(input)
    if (fields.some((field) => written[field] !== undefined && body[field] !== first.body[field]))
      this.#duplicate(`the link ${key} is described twice, and differently`, 'conflicting-link', pointer, first.pointer)
    else if (fields.some((field) => written[field] === undefined))
      this.#set(type, key, { ...written, ...input }, pointer, 0)
  }

  #tooDeep(key: string, pointer: string): void {
    const message = `the key has ${Buffer.byteLength(key)} bytes with the keys above it; at most ${MOST_PATH_BYTES} are possible`
    this.diagnostics.push({ severity: 'error', code: 'key-too-long', message, pointer })
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
   * Checks the lengths of the texts of a record and, if a client sent the document, their characters. The characters of
   * files are checked while they are read. A text that PostgreSQL would reject or change appears in the canonical text
   * as an escape or as U+FEFF.
   */
  #checkTexts(value: Json, pointer: string): void {
    const problem = typeof value === 'string' ? (textProblem(value) ?? lengthProblem(value)) : null
    if (problem !== null)
      this.diagnostics.push({ severity: 'error', code: problem.code, message: `the text ${problem.message}`, pointer })
    if (typeof value !== 'object' || value === null) return
    for (const [key, member] of Object.entries(value)) this.#checkTexts(member, pointer + toPointer([key]))
  }
}

/** Tells whether a key is too long without those above it. All keys below the record would repeat it. */
function isTooLong(key: string, parent: string | null): boolean {
  return key.length - (parent === null ? 0 : parent.length + 1) > LONGEST_KEY
}

function withoutKey(type: RecordType, input: JsonObject): JsonObject {
  const fields = keyFieldsOf(type, input)
  return Object.fromEntries(Object.entries(input).filter(([name]) => !fields.includes(name)))
}
