import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { joinKey, keyOf, renamed, splitKey } from '../../records/identity.ts'
import type { EmbeddedList, MetadataRule, RecordType, ReferenceField } from '../../records/record-type.ts'
import { PLANNED_TYPES, recordType } from '../../records/registry.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import { newKey, newKeyOf, type Renaming } from './new-key.ts'

/** A value of a document, and its new text. */
export interface Place {
  readonly path: readonly (string | number)[]
  readonly text: string
}

type Path = Place['path']

/** The metadata that a renamed metadata type rules, before and after. */
interface RuleChange {
  readonly before: MetadataRule
  readonly after: MetadataRule
}

/** All places of a document that name the record: the record itself, references, and decisions about it. */
export function placesIn(document: JsonObject, renaming: Renaming, rules: RuleChange | null): Place[] {
  const records = PLANNED_TYPES.flatMap((type) =>
    objectsIn(document, type.name).flatMap(([record, path]) => placesOfRecord({ type, record, path }, renaming, rules)),
  )
  return [...records, ...placesOfDecisions(document, renaming)]
}

/** The entities that the renamed metadata type rules, before and after; null if it is not here or rules none. */
export function ruleChange(document: JsonObject, { type: name, from, to }: Renaming): RuleChange | null {
  const type: RecordType = recordType(name)
  const { metadataRule } = type
  if (metadataRule === undefined) return null
  const found = objectsIn(document, name).find(([record]) => isNamed(type, record) && keyOf(type, record) === from)
  return found === undefined
    ? null
    : { before: metadataRule(found[0]), after: metadataRule(renamed(type, found[0], to)) }
}

interface FoundRecord {
  readonly type: RecordType
  readonly record: JsonObject
  readonly path: Path
  readonly parent?: string
  readonly depth?: number
}

function placesOfRecord(found: FoundRecord, renaming: Renaming, rules: RuleChange | null): Place[] {
  const { type, record, path, parent = null, depth = 0 } = found
  if (!isNamed(type, record)) return []
  const key = keyOf(type, record, parent)
  const children = childrenOf(found).flatMap(([child, at]) =>
    placesOfRecord({ type, record: child, path: at, parent: key, depth: depth + 1 }, renaming, rules),
  )
  return [
    ...(type.name === renaming.type && key === renaming.from ? ownPlaces(found, renaming.to) : []),
    ...(type.references ?? []).flatMap((reference) => placeOfReference(record, path, reference, renaming)),
    ...(type.embedded ?? []).flatMap((list) => placesOfList(list, found, renaming)),
    ...(rules !== null && type.metadataEntity?.(depth) === rules.before.entity ? metadataPlaces(found, rules) : []),
    ...children,
  ]
}

function childrenOf({ type: { tree }, record, path, depth = 0 }: FoundRecord) {
  if (tree === undefined) return []
  return objectsIn(record, depth === 0 ? tree.root : tree.below, path)
}

function isNamed({ identify, identity }: RecordType, record: JsonObject): boolean {
  return identify !== undefined || identity.every((field) => typeof record[field] === 'string')
}

function ownPlaces({ type, record, path }: FoundRecord, to: string): Place[] {
  const made = renamed(type, record, to)
  return Object.entries(made).flatMap(([field, text]) =>
    text !== record[field] && typeof text === 'string' ? [{ path: [...path, field], text }] : [],
  )
}

function placeOfReference(record: JsonObject, path: Path, reference: ReferenceField, renaming: Renaming): Place[] {
  const value = valueAt(record, reference.path)
  if (reference.type !== renaming.type || typeof value !== 'string') return []
  const key = newKey(reference.isKey === true ? value : joinKey([value]), renaming)
  if (key === null) return []
  return [{ path: [...path, ...reference.path], text: reference.isKey === true ? key : (splitKey(key)[0] ?? '') }]
}

const MARK = '\u0000'

/** Finds the places in an embedded list by trial, because its items spell the fields of a link in their own way. */
function placesOfList(list: EmbeddedList, { record, path }: FoundRecord, renaming: Renaming): Place[] {
  const references = (recordType(list.into).references ?? []).filter(({ type }) => type === renaming.type)
  return objectsIn(record, list.field, path).flatMap(([item, at]) =>
    Object.entries(item).flatMap(([field, value]) => {
      const trial = list.toRecord(record, { ...item, [field]: MARK })
      const refers = references.some((reference) => valueAt(trial, reference.path) === MARK)
      const key = refers && typeof value === 'string' ? newKey(joinKey([value]), renaming) : null
      return key === null ? [] : [{ path: [...at, field], text: splitKey(key)[0] ?? '' }]
    }),
  )
}

function metadataPlaces({ record, path }: FoundRecord, { before, after }: RuleChange): Place[] {
  return objectsIn(record, METADATA_FIELD, path).flatMap(([item, at]) =>
    item['key'] === before.key && after.key !== before.key ? [{ path: [...at, 'key'], text: after.key }] : [],
  )
}

function placesOfDecisions(document: JsonObject, renaming: Renaming): Place[] {
  const named = ['acknowledge', 'protect'].flatMap((list) =>
    objectsIn(document, list).flatMap(([one, path]) => placeOfKey(one, 'key', path, renaming)),
  )
  const moved = objectsIn(document, 'moved').flatMap(([one, path]) =>
    isBack(one, renaming)
      ? [
          { path: [...path, 'from'], text: renaming.from },
          { path: [...path, 'to'], text: renaming.to },
        ]
      : placeOfKey(one, 'to', path, renaming),
  )
  return [...named, ...moved]
}

/** Whether an entry of `moved` is the reverse of the renaming. */
export function isBack({ type, from, to }: JsonObject, renaming: Renaming): boolean {
  return type === renaming.type && from === renaming.to && to === renaming.from
}

function placeOfKey(one: JsonObject, field: string, path: Path, renaming: Renaming): Place[] {
  const type = PLANNED_TYPES.find(({ name }) => name === one['type'])
  const written = one[field]
  const key = type === undefined || typeof written !== 'string' ? null : newKeyOf(type.name, written, renaming)
  return key === null ? [] : [{ path: [...path, field], text: key }]
}

export function objectsIn(parent: JsonObject, field: string, path: Path = []): (readonly [JsonObject, Path])[] {
  const list = parent[field]
  if (!Array.isArray(list)) return []
  return list.flatMap((item: Json, index) => (isObject(item) ? [[item, [...path, field, index]] as const] : []))
}

function valueAt(record: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = record
  for (const part of path) value = isObject(value) ? value[part] : undefined
  return value
}
