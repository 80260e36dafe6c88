import { splitReferences } from '../../documents/checks/value-references.ts'
import type { SourceFile } from '../../documents/read/read-file.ts'
import type { ValueEdit } from '../../documents/edit/value-edit.ts'
import { escapeTexts } from '../../documents/write/written-form.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { joinKey, parentKey, splitKey } from '../../records/identity.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import { valueAt } from '../../records/json-schema.ts'
import { recordId } from '../../records/record-id.ts'
import { ACCESS, type EmbeddedList, type RecordKey, type RecordType } from '../../records/record-type.ts'
import { embeddedInto, recordType } from '../../records/registry.ts'
import { fieldsInOrder, resolveNode, type Field } from '../../records/shape.ts'
import { adoptedValue, editsBetween } from './adopted-value.ts'
import type { Adoption, Chosen } from './adoptions.ts'
import type { WrittenModels, WrittenRecord } from './written-records.ts'

/** An edit of a file, and the change on the platform that it adopts. */
export interface FileEdit {
  readonly file: SourceFile
  readonly edit: ValueEdit
  readonly of: Adoption
}

/** A change for which the files have no place. */
interface Misplaced {
  readonly of: Adoption
  readonly reason: string
}

/** The references to the secrets of records, by `type/key`. */
export type SecretReferences = ReadonlyMap<string, string>

/** The edits of the files that adopt these changes, and the changes for which the files have no place. */
export function fileEdits(
  { adoptions, gone }: Pick<Chosen, 'adoptions' | 'gone'>,
  models: WrittenModels,
  secrets: SecretReferences,
): { readonly edits: readonly FileEdit[]; readonly left: readonly Misplaced[] } {
  const making = new EditMaker({ adoptions, gone }, models, secrets)
  for (const adoption of adoptions) making.add(adoption)
  return making
}

const NOWHERE = 'the files have no place for it; write it there by hand'
const REFERENCE =
  'its value refers to a variable or a file, which another platform may need; change that variable or file, or edit the value by hand'
const INSIDE = 'the files describe records inside of it that nobody deleted on the platform; remove it by hand'
const NOT_WRITTEN = 'the files do not describe it under this key; change it by hand'

interface Owner extends RecordKey {
  /** The list of the owner that has the record. */
  readonly field: string
  /** Left out for a tree. */
  readonly list?: EmbeddedList
}

class EditMaker {
  readonly edits: FileEdit[] = []
  readonly left: Misplaced[] = []
  readonly #models: WrittenModels
  readonly #secrets: SecretReferences
  readonly #added: ReadonlyMap<string, Adoption>
  readonly #removed: ReadonlySet<string>
  readonly #gone: ReadonlySet<string>
  /** The added records that are nested in other records, by their owner. */
  readonly #addedInside: ReadonlyMap<string, readonly { readonly owner: Owner; readonly adoption: Adoption }[]>

  constructor(
    { adoptions, gone }: Pick<Chosen, 'adoptions' | 'gone'>,
    models: WrittenModels,
    secrets: SecretReferences,
  ) {
    this.#gone = gone
    this.#models = models
    this.#secrets = secrets
    const of = (action: Adoption['action']) => adoptions.filter((one) => one.action === action)
    this.#added = new Map(of('add').map((one) => [recordId(one), one]))
    this.#removed = new Set(of('remove').map(recordId))
    const inside = of('add').flatMap((adoption) => {
      const owner = this.#owner(adoption)
      return owner !== null && this.#isInside(adoption) ? [{ owner, adoption }] : []
    })
    this.#addedInside = Map.groupBy(inside, ({ owner }) => recordId(owner))
  }

  add(adoption: Adoption): void {
    const { action } = adoption
    const inside = this.#models.inside.get(recordId(adoption)) ?? []
    if (action === 'remove' && !inside.every((one) => this.#gone.has(recordId(one))))
      return void this.left.push({ of: adoption, reason: INSIDE })
    const isDone = action === 'add' ? this.#addRecord(adoption) : this.#changePlaces(adoption)
    if (!isDone) this.left.push({ of: adoption, reason: action === 'add' ? NOWHERE : NOT_WRITTEN })
  }

  #changePlaces(adoption: Adoption): boolean {
    const places = this.#models.of(adoption.type, adoption.key)
    if (adoption.action === 'change')
      for (const field of adoption.fields) {
        const holders = places.filter(({ written }) => written[field.name] !== undefined)
        for (const place of holders.length > 0 ? holders : places.slice(0, 1)) this.#changeField(adoption, field, place)
      }
    // If an owner is removed, the records nested in it are removed, too.
    else
      for (const place of places)
        if (!this.#isInRemoved(adoption, place)) this.#push(adoption, place, { kind: 'remove', ...place })
    return places.length > 0
  }

  #isInRemoved(record: RecordKey, place: WrittenRecord): boolean {
    const owner = this.#owner(record)
    if (owner === null) return false
    const isAround = ({ file, document, path }: WrittenRecord) =>
      file === place.file && document === place.document && path.every((part, index) => place.path[index] === part)
    const isRemoved = this.#removed.has(recordId(owner)) && this.#models.of(owner.type, owner.key).some(isAround)
    return isRemoved || (owner.list === undefined && this.#isInRemoved(owner, place))
  }

  #changeField(adoption: Adoption, { name, live, planned }: Adoption['fields'][number], place: WrittenRecord): void {
    const [type, { written }] = [recordType(adoption.type), place]
    const names = fieldsInOrder(type.definition).map((field) => field.name)
    const path = [...place.path, name]
    const value = live === null ? unsetValue(type, name) : inFiles(type, name, live)
    const plan = planned === undefined ? undefined : inFiles(type, name, planned)
    const wanted = value === undefined ? undefined : adoptedValue(written[name], plan, value, name === METADATA_FIELD)
    const edits = editsBetween({ ...place, path }, written[name], wanted, names.slice(0, names.indexOf(name)))
    const isReference = edits.some(
      (edit) =>
        edit.kind !== 'insert' && holdsReference(valueAt(written, edit.path.slice(place.path.length).map(String))),
    )
    if (isReference) return void this.left.push({ of: adoption, reason: REFERENCE })
    for (const edit of edits) this.#push(adoption, place, edit)
  }

  /** Adds a record to the list of its owner or of its type. False if there is no such list. */
  #addRecord(adoption: Adoption): boolean {
    const { type, key } = adoption
    const owner = this.#owner(adoption)
    if (owner !== null && this.#added.has(recordId(owner)) && this.#isInside(adoption)) return true
    const [place] = owner === null ? [] : this.#models.of(owner.type, owner.key)
    if (place !== undefined && owner !== null) {
      if (owner.list === undefined) return this.#addTo(adoption, place, owner.field, this.#recordOf(adoption))
      if (isJsonList(place.written[owner.field]))
        return this.#addTo(adoption, place, owner.field, itemOf(owner.list, adoption.body))
    }
    const [list] = (this.#models.lists.get(type) ?? []).toSorted((one, other) => other.keys.length - one.keys.length)
    if (list === undefined) return false
    const path = [...list.path, sortedIndex(list.keys, key)]
    this.#push(adoption, list, { ...list, kind: 'insert', path, value: this.#recordOf(adoption) })
    return true
  }

  #addTo(adoption: Adoption, place: WrittenRecord, field: string, value: Json): true {
    const list = place.written[field]
    const path = [...place.path, field]
    const edit: ValueEdit = Array.isArray(list)
      ? { ...place, kind: 'insert', path: [...path, list.length], value }
      : { ...place, kind: 'set', path, value: [value] }
    this.#push(adoption, place, edit)
    return true
  }

  /** The record in which this one may be nested, and the list there; null if it is always at the top of a file. */
  #owner({ type: name, key }: RecordKey): Owner | null {
    const { tree } = recordType(name)
    const parent = tree === undefined ? null : parentKey(key)
    if (tree !== undefined && parent !== null)
      return { type: name, key: parent, field: parentKey(parent) === null ? tree.root : tree.below }
    const [found] = embeddedInto(name)
    if (found === undefined) return null
    const { owner, list } = found
    const place = recordType(name).identity.indexOf(list.ownerField)
    return { type: owner.name, key: joinKey([splitKey(key)[place] ?? '']), field: list.field, list }
  }

  /** Whether the record is nested in a new owner. Units always are. Links are if most links in the files are. */
  #isInside({ type }: Adoption): boolean {
    const lists = this.#models.lists.get(type)
    const atTop = lists?.reduce((sum, { keys }) => sum + keys.length, 0) ?? -1
    return recordType(type).tree !== undefined || (this.#models.embedded.get(type) ?? 0) > atTop
  }

  /** A record as people write it: without defaults, and with its children and links if these are nested. */
  #recordOf({ type: name, key, body }: Adoption): JsonObject {
    const type = recordType(name)
    const secret = this.#secrets.get(recordId({ type: name, key }))
    // A secret that a platform sends never comes into a file.
    const values = { ...body, ...(type.secret !== undefined && { [type.secret]: secret ?? null }) }
    const isDefault = (field: { readonly name: string; readonly defaultValue: Json | undefined }) =>
      JSON.stringify(values[field.name]) === JSON.stringify(field.defaultValue)
    const fields = fieldsInOrder(type.definition).filter(
      (field) => values[field.name] !== undefined && !isDefault(field),
    )
    const own = fields.map(({ name: field }): [string, Json] => {
      const value = values[field] ?? null
      if (field === type.secret) return [field, value]
      return [field, adoptedValue(undefined, undefined, inFiles(type, field, value), field === METADATA_FIELD)]
    })
    const inside = (this.#addedInside.get(recordId({ type: name, key })) ?? []).map(({ owner, adoption }) => {
      const value = owner.list === undefined ? this.#recordOf(adoption) : itemOf(owner.list, adoption.body)
      return { field: owner.field, value }
    })
    const lists = [...Map.groupBy(inside, ({ field }) => field)]
    return Object.fromEntries([
      ...own,
      ...lists.map(([field, items]) => [field, items.map(({ value }) => value)] as const),
    ])
  }

  #push(of: Adoption, { file }: Pick<WrittenRecord, 'file'>, edit: ValueEdit): void {
    this.edits.push({ file, edit, of })
  }
}

/**
 * The value of a field in the form of files: its items without defaults. Files may contain references, so texts that
 * look like a reference are escaped. Settings contain no references.
 */
function inFiles({ name: type, definition }: RecordType, name: string, value: Json): Json {
  const field = fieldsInOrder(definition).find((one) => one.name === name)
  const usual = new Map(membersOf(field).map((member) => [member.name, JSON.stringify(member.defaultValue)]))
  const brief = (item: Json): Json =>
    isJsonObject(item)
      ? Object.fromEntries(Object.entries(item).filter(([key, member]) => JSON.stringify(member) !== usual.get(key)))
      : item
  const written = isJsonList(value) && usual.size > 0 ? value.map(brief) : value
  return type === ACCESS ? written : escapeTexts(written)
}

/** The members of the items of a list. */
function membersOf(field: Field | undefined): readonly Field[] {
  const item = field?.node.items === undefined ? null : resolveNode(field.node.items).name
  return item === null ? [] : fieldsInOrder(item)
}

function holdsReference(value: unknown): boolean {
  if (typeof value === 'string') return splitReferences(value).some(({ kind }) => kind === 'reference')
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsReference)
}

function unsetValue(type: RecordType, name: string): Json | undefined {
  const field = fieldsInOrder(type.definition).find((one) => one.name === name)
  if (field?.nullable === true) return null
  return field?.isArray === true && type.emptyIsSet?.includes(name) !== true ? [] : undefined
}

/** The item that represents a link in the list of its owner: the reverse of `toRecord`. */
function itemOf(list: EmbeddedList, link: JsonObject): JsonObject {
  const owners = embeddedInto(list.into).map(({ owner }) => owner.definition)
  const field = owners.flatMap((name) => fieldsInOrder(name)).find(({ name }) => name === list.field)
  return Object.fromEntries(
    membersOf(field).flatMap(({ name, defaultValue }) => {
      const [own] = Object.entries(list.toRecord({}, { [name]: MARK })).find(([, value]) => value === MARK) ?? []
      const value = own === undefined ? undefined : link[own]
      return value === undefined || value === defaultValue ? [] : [[name, escapeTexts(value)] as const]
    }),
  )
}

const MARK = '\u0000'

/** The place of a new key. Sorted lists stay sorted; elsewhere it comes last. */
function sortedIndex(keys: readonly string[], key: string): number {
  const isSorted = keys.length > 1 && keys.every((one, index) => index === 0 || (keys[index - 1] ?? '') <= one)
  const next = isSorted ? keys.findIndex((one) => one > key) : -1
  return next < 0 ? keys.length : next
}
