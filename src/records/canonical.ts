import { isJsonList, isObject, sortKeys, type Json, type JsonObject } from '../lib/json.ts'
import { byMetadataKey, isMetadata, taggedValue, type MetadataDataType } from './metadata.ts'
import type { RecordBody, RecordType } from './record-type.ts'
import { fieldsOf, resolveNode, storedFields, type Field, type SchemaNode } from './shape.ts'

// Two records are equal exactly if their canonical forms are the same. A field that is null or not set is left out. An
// empty list counts as not set, unless the record type says otherwise.

/** Returns the data type that a MetadataType gives to a key, if there is one. */
export type MetadataDataTypes = (entityType: string, key: string) => MetadataDataType | undefined

export interface CanonicalRecord {
  readonly body: RecordBody
  /** Fields that the input omits and that have no default. They keep their value on the platform. */
  readonly untouched: readonly string[]
}

/** An empty list that most records share, because they omit no fields. */
const NONE: readonly string[] = []

type Normalise = (value: Json, metadataTypeOf: (key: string) => MetadataDataType | undefined) => Json

interface Rule {
  readonly field: Field
  readonly normalise: Normalise
  readonly special: ((value: Json, body: JsonObject) => Json) | undefined
  readonly dropEmpty: boolean
}

const rules = new Map<string, readonly Rule[]>()

function rulesOf(type: RecordType): readonly Rule[] {
  const known = rules.get(type.name)
  if (known !== undefined) return known
  const made = storedFields(type).map((field) => ({
    field,
    normalise: type.sets?.includes(field.name) ? normaliseSet : normaliserOf(field.node),
    special: type.canonical?.[field.name],
    dropEmpty: field.isArray && type.emptyIsSet?.includes(field.name) !== true,
  }))
  rules.set(type.name, made)
  return made
}

/** Makes the canonical form of a record from the import document. `depth` is its depth in a tree. */
export function canonicalRecord(
  type: RecordType,
  input: JsonObject,
  metadata: MetadataDataTypes,
  depth = 0,
): CanonicalRecord {
  const body: { [field: string]: Json } = {}
  let untouched = NONE
  const entity = type.metadataEntity?.(depth) ?? ''
  const metadataTypeOf = (key: string) => metadata(entity, key)
  for (const { field, normalise, special, dropEmpty } of rulesOf(type)) {
    const { name, defaultValue } = field
    const given = input[name]
    if (given === undefined && defaultValue === undefined) {
      untouched = [...untouched, name]
      continue
    }
    const written = given === undefined ? (defaultValue ?? null) : given
    const value = written === null || special === undefined ? written : special(written, input)
    if (value === null) continue
    const canonical = normalise(value, metadataTypeOf)
    if (canonical === null || (dropEmpty && Array.isArray(canonical) && canonical.length === 0)) continue
    body[name] = canonical
  }
  return { body, untouched }
}

/** The body that a record will have: the fields of the document, and the untouched fields of the platform. */
export function mergeUntouched(type: RecordType, { body, untouched }: CanonicalRecord, live: RecordBody): RecordBody {
  if (!untouched.some((name) => live[name] !== undefined)) return body
  const kept = new Set(untouched)
  const merged: { [field: string]: Json } = {}
  for (const { name } of storedFields(type)) {
    const value = kept.has(name) ? live[name] : body[name]
    if (value !== undefined) merged[name] = value
  }
  return merged
}

function normaliserOf(schema: SchemaNode): Normalise {
  const { node, name } = resolveNode(schema)
  if (node.items !== undefined && resolveNode(node.items).name === 'MetadataItem') return normaliseMetadata
  if (node.items !== undefined) {
    const item = normaliserOf(node.items)
    return (value, types) => (isJsonList(value) ? value.map((element) => item(element, types)) : value)
  }
  if (name !== null && node.properties !== undefined) return objectNormaliser(name)
  return (value) => (isObject(value) ? sortKeys(value) : value)
}

function objectNormaliser(name: string): Normalise {
  const fields = fieldsOf(name).map((field) => ({ field, normalise: normaliserOf(field.node) }))
  return (value, types) => {
    if (!isObject(value)) return value
    const body: { [field: string]: Json } = {}
    for (const { field, normalise } of fields) {
      const given = value[field.name] ?? field.defaultValue ?? null
      if (given !== null) body[field.name] = normalise(given, types)
    }
    return body
  }
}

function normaliseSet(value: Json): Json {
  return isJsonList(value) ? [...new Set(value)].sort() : value
}

function normaliseMetadata(value: Json, metadataTypeOf: (key: string) => MetadataDataType | undefined): Json {
  if (!isMetadata(value)) return value
  return value
    .map((item) => ({ key: item.key, value: taggedValue(item.value, metadataTypeOf(item.key)) }))
    .sort(byMetadataKey)
}
