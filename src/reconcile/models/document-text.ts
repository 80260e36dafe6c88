import { defineScalarTag, dump, DUMP_SCHEMA, NOT_RESOLVED } from 'js-yaml'
import { escapeReferences } from '../../documents/checks/references.ts'
import { isUnresolvedReference } from '../../records/secret.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { SECRET_FIELDS } from './secret-fields.ts'
import { ACCESS, type DocumentTypeName } from '../../records/record-type.ts'
import { isDefaultAccess } from '../../records/types/grant.ts'
import type { Export } from '../target/target.ts'

/** Records that become YAML at a time: js-yaml needs many times the memory of what it writes. */
const SLICE = 20

/** A document as YAML, in pieces. Long lines are not folded: a diff shows a changed text best on one line. */
export function* documentYaml(document: JsonObject): Generator<string> {
  const entries = Object.entries(document)
  if (entries.length === 0) yield yamlOf(document)
  for (const [type, records] of entries) {
    if (Array.isArray(records) && records.length > SLICE) yield* listYaml(type, records as readonly Json[])
    else yield yamlOf({ [type]: records })
  }
}

const GRANTS_NOTE = '# Grants. They are no part of the import document: in models they stand in holdfast.yaml.\n'

/** What lives on a platform in one text: grants in a document of their own, which no import document has a place for. */
export function* exportYaml({ document, access }: Export): Generator<string> {
  yield* documentYaml(document)
  if (access !== null && access.length > 0 && !isDefaultAccess(access)) yield `---\n${GRANTS_NOTE}${accessYaml(access)}`
}

/** As holdfast.yaml has it, where nothing is a reference. */
export function accessYaml(access: readonly JsonObject[]): string {
  return yamlOf({ [ACCESS]: access })
}

/** A list is the same whether it is written at once or slice by slice, except for the line above with its name. */
function* listYaml(name: string, list: readonly Json[]): Generator<string> {
  for (let start = 0; start < list.length; start += SLICE) {
    const text = yamlOf({ [name]: list.slice(start, start + SLICE) })
    yield start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  }
}

/**
 * js-yaml takes `1e400` for a text, since no double is that large, and does not quote it; YAML takes it for a number. This
 * tag stands for such numbers: a text that could be read as one is quoted.
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

/** The same document as it is written in files, where `${` begins a reference unless it is escaped. */
export function writtenForm(document: JsonObject): JsonObject {
  const written: { [type: string]: Json } = {}
  for (const [type, records] of Object.entries(document)) {
    const secret = SECRET_FIELDS.get(type as DocumentTypeName)
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
  const written = escapeTexts(record)
  if (typeof secret !== 'string' || !isUnresolvedReference(secret) || !isObject(written)) return written
  return { ...(written), [secretField]: secret }
}

function escapeTexts(value: Json): Json {
  return holdsReference(value) ? escaped(value) : value
}

/** Hardly any record does, and looking is cheaper than copying. */
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
