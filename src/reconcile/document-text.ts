import { dump } from 'js-yaml'
import { escapeReferences } from '../documents/references.ts'
import { isUnresolvedReference } from '../records/secret.ts'
import { isObject, type Json, type JsonObject } from '../lib/json.ts'
import { SECRET_FIELDS } from './secret-fields.ts'
import type { RecordTypeName } from '../records/record-type.ts'

/** Long lines are not folded: a diff shows a changed text best on one line. */
export function documentYaml(document: JsonObject): string {
  return dump(document, { lineWidth: -1, noRefs: true })
}

/** The same document as it is written in files, where `${` begins a reference unless it is escaped. */
export function writtenForm(document: JsonObject): JsonObject {
  const written: { [type: string]: Json } = {}
  for (const [type, records] of Object.entries(document)) {
    const secret = SECRET_FIELDS.get(type as RecordTypeName)
    written[type] = Array.isArray(records)
      ? (records as readonly Json[]).map((record) => writtenRecord(record, secret))
      : records
  }
  return written
}

/** The platform knows no secret; in the place of each it gives a reference, which must stay one. */
function writtenRecord(record: Json, secretField: string | undefined): Json {
  if (!isObject(record) || secretField === undefined) return escapeTexts(record)
  const secret = record[secretField]
  const escaped = escapeTexts(record as JsonObject)
  if (typeof secret !== 'string' || !isUnresolvedReference(secret) || !isObject(escaped)) return escaped
  return { ...(escaped as JsonObject), [secretField]: secret }
}

function escapeTexts(value: Json): Json {
  if (typeof value === 'string') return escapeReferences(value)
  if (Array.isArray(value)) return value.map(escapeTexts)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, member]) => [key, escapeTexts(member)]))
}
