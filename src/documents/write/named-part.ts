import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { keyOf } from '../../records/identity.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import { recordType } from '../../records/registry.ts'
import { isDocumentTypeName, type RecordType } from '../../records/record-type.ts'
import type { Snapshot } from '../snapshot.ts'

/**
 * Reduces an exported document to the records, fields and metadata keys that the models contain. So it can be published
 * without revealing more than the models. `snapshot` is the snapshot of the models.
 */
export function namedPart(exported: JsonObject, models: JsonObject, snapshot: Snapshot): JsonObject {
  const part: { [type: string]: Json } = {}
  for (const [name, records] of Object.entries(exported)) {
    if (!isDocumentTypeName(name) || !isJsonList(records)) continue
    const type = recordType(name)
    const written = models[name]
    part[name] = isJsonList(written)
      ? namedRecords(type, records, written)
      : // The models write these links as lists inside of other records.
        objects(records).filter((link) => snapshot.get(name)?.records.has(keyOf(type, link)))
  }
  return part
}

/** Keeps the records, and their fields, that `written` contains too. */
export function namedRecords(type: RecordType, records: readonly Json[], written: readonly Json[]): JsonObject[] {
  const named = new Map(objects(written).map((record) => [keyOf(type, record), record]))
  return objects(records).flatMap((record) => {
    const model = named.get(keyOf(type, record))
    return model === undefined ? [] : [namedFields(type, record, model)]
  })
}

function namedFields(type: RecordType, record: JsonObject, model: JsonObject): JsonObject {
  const fields = Object.entries(record).filter(([field]) => Object.hasOwn(model, field))
  return Object.fromEntries(
    fields.map(([field, value]): [string, Json] => [field, namedValue(type, field, value, model[field] ?? null)]),
  )
}

function namedValue(type: RecordType, field: string, value: Json, model: Json): Json {
  if (!isJsonList(value) || !isJsonList(model)) return value
  if (field === type.tree?.root || field === type.tree?.below) return namedRecords(type, value, model)
  return field === METADATA_FIELD ? namedItems(value, model) : value
}

function namedItems(items: readonly Json[], written: readonly Json[]): Json[] {
  const keys = new Set(objects(written).map(({ key }) => key))
  return objects(items).filter(({ key }) => keys.has(key))
}

function objects(list: readonly Json[]): JsonObject[] {
  return list.filter(isJsonObject)
}
