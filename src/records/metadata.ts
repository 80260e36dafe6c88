import type { MetadataItem, MetadataType } from '../../generated/import-document.ts'
import { isJsonList, isObject, type Json, type JsonObject } from '../lib/json.ts'
import { isUuid } from '../lib/uuid.ts'
import { canonicalWhole, isLongWhole } from './whole-number.ts'
import { canonicalInstant, isInstant } from './instant.ts'

export type MetadataDataType = MetadataType['dataType']

/** The member that contains a value of each data type in tagged form. */
export const METADATA_TAGS = {
  STRING: 'string',
  FLOAT: 'float',
  INTEGER: 'integer',
  BOOLEAN: 'boolean',
  TIMESTAMP: 'timestamp',
  UUID: 'uuid',
} as const satisfies { [dataType in MetadataDataType]: string }

/** An item of metadata as it is written, with a plain or a tagged value. */
export type WrittenItem = JsonObject & MetadataItem & { readonly value: Json }

/** Tells whether a value is the metadata of a record. This holds for every record that matches the JSON Schema. */
export function isMetadata(value: Json | undefined): value is readonly WrittenItem[] {
  return isJsonList(value) && value.every(isItem)
}

/** The order of the items in the canonical form. Items with the same key keep the written order. */
export function byMetadataKey(a: { readonly key: string }, b: { readonly key: string }): number {
  if (a.key === b.key) return 0
  return a.key < b.key ? -1 : 1
}

function isItem(item: Json): item is WrittenItem {
  return isObject(item) && typeof item['key'] === 'string' && item['value'] !== undefined
}

/** Tells whether a plain value fits a data type. */
export function fitsDataType(value: Json, dataType: MetadataDataType): boolean {
  switch (dataType) {
    case 'STRING':
      return typeof value === 'string'
    case 'FLOAT':
      return typeof value === 'number'
    case 'INTEGER':
      return Number.isInteger(value) || isLongWhole(value)
    case 'BOOLEAN':
      return typeof value === 'boolean'
    case 'TIMESTAMP':
      return typeof value === 'string' && isInstant(value)
    case 'UUID':
      return typeof value === 'string' && isUuid(value.toLowerCase())
  }
}

/** The plain value of a metadata value: the value itself, or the content of its tagged form. */
export function plainValue(value: Json): Json {
  return isObject(value) ? (Object.values(value)[0] ?? null) : value
}

/**
 * The tagged form of a metadata value, e.g. `{"float": 1}`; null stays null. A plain value gets the tag of its
 * MetadataType if it fits, and otherwise the tag of its shape.
 */
export function taggedValue(value: Json, dataType: MetadataDataType | undefined): Json {
  if (value === null) return null
  if (isObject(value)) return canonicalTag(value)
  const fitting = dataType !== undefined && fitsDataType(value, dataType) ? dataType : shapeOf(value)
  return canonicalTag({ [METADATA_TAGS[fitting]]: value })
}

function shapeOf(value: Json): MetadataDataType {
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'number') return Number.isInteger(value) ? 'INTEGER' : 'FLOAT'
  return 'STRING'
}

function canonicalTag(tagged: JsonObject): JsonObject {
  if (typeof tagged['timestamp'] === 'string') return { timestamp: canonicalInstant(tagged['timestamp']) }
  if (tagged['integer'] !== undefined) return { integer: canonicalWhole(tagged['integer']) }
  if (typeof tagged['uuid'] === 'string') return { uuid: tagged['uuid'].toLowerCase() }
  return tagged
}
