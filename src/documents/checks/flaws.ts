import type { Diagnostic } from '../../lib/diagnostic.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { fromPointer } from '../../lib/pointer.ts'
import { keyFieldsOf } from '../../records/identity.ts'
import type { RecordType } from '../../records/record-type.ts'
import { fieldsOf } from '../../records/shape.ts'

/** The values in a document whose shape is wrong, as a tree of the members that lead to them. */
export type Flaws = ReadonlyMap<string, Flaw>

interface Flaw {
  /** Whether the value itself is wrong, and not only a value inside it. */
  readonly isOwn: boolean
  readonly inside: Flaws
}

/** One occurrence of a record in the document: its JSON Pointer and the flaws of its shape. */
export interface Occurrence {
  readonly pointer: string
  readonly flaw: Flaw | undefined
}

const NO_FLAWS: Flaws = new Map()

/** Builds the tree of flaws from a validator's errors, and returns its root, which stands for the whole document. */
export function flawsOf(diagnostics: readonly Diagnostic[]): Flaw {
  const root = newNode()
  for (const { severity, pointer } of diagnostics) {
    if (severity !== 'error') continue
    let node = root
    for (const step of fromPointer(pointer)) {
      const child = node.inside.get(step) ?? newNode()
      node.inside.set(step, child)
      node = child
    }
    node.isOwn = true
  }
  return root
}

interface Node extends Flaw {
  isOwn: boolean
  readonly inside: Map<string, Node>
}

function newNode(): Node {
  return { isOwn: false, inside: new Map() }
}

export function flawsIn(flaw: Flaw | undefined, member: string): Flaws {
  return flaw?.inside.get(member)?.inside ?? NO_FLAWS
}

/** A record without its flawed members. */
interface SoundRecord {
  readonly body: JsonObject
  /** The record as the document has it. */
  readonly written: JsonObject
  /** The members that were removed because they contain flaws. */
  readonly dropped: ReadonlySet<string>
  /** Whether the key of the record is known. */
  readonly isNamed: boolean
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Removes the members with flaws from a record, so that the others can be checked; null if the record is not an object.
 * Lists of other records stay, because each of these records has its own flaws.
 */
export function soundRecord(
  type: RecordType,
  written: Json,
  flaw: Flaw | undefined,
  depth: number,
): SoundRecord | null {
  if (!isObject(written)) return null
  if (flaw === undefined) return { body: written, written, dropped: NONE, isNamed: true }
  const lists = listsOf(type, depth)
  const dropped = new Set(
    [...flaw.inside].filter(([name, { isOwn }]) => isOwn || !lists.includes(name)).map(([name]) => name),
  )
  const kept = Object.fromEntries(Object.entries(written).filter(([name]) => !dropped.has(name)))
  const keyFields = keyFieldsOf(type, written)
  const required = fieldsOf(type.definition).filter(({ name, required }) => required && keyFields.includes(name))
  return {
    body: kept,
    written,
    dropped,
    isNamed: !keyFields.some((field) => dropped.has(field)) && required.every(({ name }) => kept[name] !== undefined),
  }
}

/** The members of a record that are lists of other records. */
function listsOf({ tree, embedded = [] }: RecordType, depth: number): string[] {
  const children = depth === 0 ? tree?.root : tree?.below
  return [...embedded.map(({ field }) => field), ...(children === undefined ? [] : [children])]
}

/** Removes the members with flaws from an item of an embedded list; null if the item is not an object. */
export function soundItem(item: Json, flaw: Flaw | undefined): JsonObject | null {
  if (!isObject(item)) return null
  if (flaw === undefined) return item
  return Object.fromEntries(Object.entries(item).filter(([name]) => !flaw.inside.has(name)))
}
