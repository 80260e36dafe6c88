import { isJsonList, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { isDocumentTypeName } from '../../records/record-type.ts'
import { standsForSecret } from '../../records/secret.ts'
import { escapeReferences } from '../checks/value-references.ts'
import { SECRET_FIELDS } from '../secret-fields.ts'

/** The document in the form of files, where `${` begins a reference unless it is escaped. */
export function writtenForm(document: JsonObject): JsonObject {
  const written: { [type: string]: Json } = {}
  for (const [type, records] of Object.entries(document)) {
    const secret = isDocumentTypeName(type) ? SECRET_FIELDS.get(type) : undefined
    written[type] = isJsonList(records) ? records.map((record) => writtenRecord(record, secret)) : records
  }
  return written
}

/** Escapes a record, except for the reference that the platform exports in place of a secret. */
function writtenRecord(record: Json, secretField: string | undefined): Json {
  if (!isObject(record) || secretField === undefined) return escapeTexts(record)
  const secret = record[secretField]
  const written = escapeTexts(record)
  if (typeof secret !== 'string' || !standsForSecret(secret) || !isObject(written)) return written
  return { ...written, [secretField]: secret }
}

/** The value with its references escaped. */
export function escapeTexts(value: Json): Json {
  return holdsReference(value) ? escaped(value) : value
}

/** Tells whether a value contains `${`. The search is cheaper than copying, and most values contain none. */
function holdsReference(value: Json): boolean {
  if (typeof value === 'string') return value.includes('${')
  if (Array.isArray(value)) return value.some(holdsReference)
  return isObject(value) && Object.values(value).some(holdsReference)
}

function escaped(value: Json): Json {
  if (typeof value === 'string') return escapeReferences(value)
  if (Array.isArray(value)) return value.map(escaped)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, escaped(member)]))
}
