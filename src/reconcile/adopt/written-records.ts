import type { EditPlace } from '../../documents/edit/value-edit.ts'
import { readTexts } from '../../documents/edit/edit-text.ts'
import { isSettingsFile } from '../../documents/read/settings-file.ts'
import type { SourceFile } from '../../documents/read/read-file.ts'
import { isJsonList, isJsonObject, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { comparedKey, keyFieldsOf, keyOf } from '../../records/identity.ts'
import { recordId } from '../../records/record-id.ts'
import {
  ACCESS,
  isDocumentTypeName,
  type EmbeddedList,
  type RecordKey,
  type RecordTypeName,
} from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'

/** A place in a file of the models. */
export interface FilePlace extends EditPlace {
  readonly file: SourceFile
}

/** A record as a file has it. A link may be in several places. */
export interface WrittenRecord extends FilePlace {
  readonly written: JsonObject
  /** The list of the owner that has the record; left out if the record is in a list of its own type. */
  readonly list?: EmbeddedList
}

/** A list of records as a file has it. */
export interface WrittenRecords extends FilePlace {
  readonly keys: readonly string[]
}

function isTypeIn(file: SourceFile, name: string): name is RecordTypeName {
  return isSettingsFile(file) ? name === ACCESS : isDocumentTypeName(name)
}

/** All records that the files describe, with their places. Values are as written, before references are resolved. */
export class WrittenModels {
  /** The places of each record, by `type/key`. */
  readonly records = new Map<string, WrittenRecord[]>()
  /** The lists of each type at the top of a file. */
  readonly lists = new Map<RecordTypeName, WrittenRecords[]>()
  /** The records that are nested in each record, by the `type/key` of the outer one. */
  readonly inside = new Map<string, RecordKey[]>()
  /** The number of records of each link type that are in lists of their owners. */
  readonly embedded = new Map<RecordTypeName, number>()

  constructor(files: readonly SourceFile[]) {
    for (const file of files)
      for (const [document, root] of readTexts(file).documents.entries())
        for (const [name, list] of isObject(root) ? Object.entries(root) : [])
          if (isTypeIn(file, name) && Array.isArray(list)) this.#addList(name, list, { file, document, path: [name] })
  }

  of(type: RecordTypeName, key: string): readonly WrittenRecord[] {
    return this.records.get(recordId({ type, key })) ?? []
  }

  #addList(name: RecordTypeName, list: readonly Json[], place: FilePlace): void {
    const keys = this.#addRecords(name, list, place, null)
    this.lists.set(name, [...(this.lists.get(name) ?? []), { ...place, keys }])
  }

  #addRecords(name: RecordTypeName, list: readonly Json[], place: FilePlace, parent: string | null): string[] {
    return list.flatMap((written, index) =>
      isJsonObject(written) ? [this.#addRecord(name, { ...place, path: [...place.path, index], written }, parent)] : [],
    )
  }

  #addRecord(name: RecordTypeName, record: WrittenRecord, parent: string | null): string {
    const { written, path } = record
    const type = recordType(name)
    const own = keyFieldsOf(type, written).every((field) => written[field] !== undefined) ? keyOf(type, written) : ''
    const key = parent === null ? own : `${parent}/${own}`
    this.#add(name, key, record, parent === null ? null : { type: name, key: parent })
    const { tree, embedded = [] } = type
    const below = parent === null ? tree?.root : tree?.below
    const children = below === undefined ? undefined : written[below]
    if (below !== undefined && isJsonList(children))
      this.#addRecords(name, children, { ...record, path: [...path, below] }, key)
    for (const list of embedded) {
      const items = written[list.field]
      if (!isJsonList(items)) continue
      this.embedded.set(list.into, (this.embedded.get(list.into) ?? 0) + items.length)
      for (const [index, item] of items.entries()) {
        if (!isJsonObject(item)) continue
        const link = keyOf(recordType(list.into), list.toRecord(written, item))
        const place = { ...record, path: [...path, list.field, index], written: item, list }
        this.#add(list.into, link, place, { type: name, key })
      }
    }
    return key
  }

  /** `outer` is the record in which this one is nested. */
  #add(type: RecordTypeName, written: string, record: WrittenRecord, outer: RecordKey | null): void {
    const key = comparedKey(recordType(type), written)
    addTo(this.records, recordId({ type, key }), record)
    if (outer !== null) addTo(this.inside, recordId(outer), { type, key })
  }
}

function addTo<Value>(map: Map<string, Value[]>, id: string, value: Value): void {
  const known = map.get(id)
  if (known === undefined) map.set(id, [value])
  else known.push(value)
}
