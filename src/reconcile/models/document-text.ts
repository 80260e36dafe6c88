import { defineScalarTag, dump, DUMP_SCHEMA, NOT_RESOLVED } from 'js-yaml'
import { escapeReferences } from '../../documents/checks/references.ts'
import { standsForSecret } from '../../records/secret.ts'
import { isJsonList, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { SECRET_FIELDS } from './secret-fields.ts'
import { ACCESS, isDocumentTypeName } from '../../records/record-type.ts'
import { isDefaultAccess } from '../../records/types/grant.ts'
import type { Export } from '../target/target.ts'

/**
 * The number of records that are written as YAML at once, because js-yaml needs many times the memory of its output.
 */
const SLICE = 20

/**
 * Writes a document as YAML, in pieces. Long lines are not folded, because a diff shows a changed text best on one
 * line.
 */
export function* documentYaml(document: JsonObject): Generator<string> {
  const entries = Object.entries(document)
  if (entries.length === 0) yield yamlOf(document)
  for (const [type, records] of entries) {
    if (isJsonList(records) && records.length > SLICE) yield* listYaml(type, records)
    else yield yamlOf({ [type]: records })
  }
}

const GRANTS_NOTE = '# Grants. They are no part of the import document: in models they stand in holdfast.yaml.\n'

/**
 * Writes everything that the platform has into one text. Grants get a YAML document of their own, because the import
 * document has no key for them.
 */
export function* exportYaml({ document, access }: Export): Generator<string> {
  yield* documentYaml(document)
  if (access !== null && access.length > 0 && !isDefaultAccess(access)) yield `---\n${GRANTS_NOTE}${accessYaml(access)}`
}

/** The grants as holdfast.yaml has them, with no references in them. */
export function accessYaml(access: readonly JsonObject[]): string {
  return yamlOf({ [ACCESS]: access })
}

/** Writes a list in slices. Only the first slice keeps the line with the name of the list. */
function* listYaml(name: string, list: readonly Json[]): Generator<string> {
  for (let start = 0; start < list.length; start += SLICE) {
    const text = yamlOf({ [name]: list.slice(start, start + SLICE) })
    yield start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  }
}

/**
 * js-yaml writes the text `1e400` without quotes, since no double is that large, but YAML reads it as a number. This
 * tag makes js-yaml quote each text that could be read as such a number.
 */
const tooLarge = defineScalarTag('tag:yaml.org,2002:float#too-large', {
  implicit: true,
  implicitFirstChars: [...'+-.0123456789'],
  resolve: (text) => (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Infinity : NOT_RESOLVED),
  identify: () => false,
})
const SCHEMA = DUMP_SCHEMA.withTags(tooLarge)

function yamlOf(document: JsonObject): string {
  return dump(document, { lineWidth: -1, noRefs: true, schema: SCHEMA })
}

/** The document as it is written in files, where `${` begins a reference unless it is escaped. */
export function writtenForm(document: JsonObject): JsonObject {
  const written: { [type: string]: Json } = {}
  for (const [type, records] of Object.entries(document)) {
    const secret = isDocumentTypeName(type) ? SECRET_FIELDS.get(type) : undefined
    written[type] = isJsonList(records) ? records.map((record) => writtenRecord(record, secret)) : records
  }
  return written
}

/**
 * Escapes a record, except for the reference that the platform gives in place of a secret, which must stay a
 * reference.
 */
function writtenRecord(record: Json, secretField: string | undefined): Json {
  if (!isObject(record) || secretField === undefined) return escapeTexts(record)
  const secret = record[secretField]
  const written = escapeTexts(record)
  if (typeof secret !== 'string' || !standsForSecret(secret) || !isObject(written)) return written
  return { ...written, [secretField]: secret }
}

function escapeTexts(value: Json): Json {
  return holdsReference(value) ? escaped(value) : value
}

/** Tells whether a value contains `${`. Hardly any does, and looking is cheaper than copying. */
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
