import type { Json, JsonObject } from '../../lib/json.ts'
import { parentKey, rootOf } from '../../records/identity.ts'
import { recordId } from '../../records/record-id.ts'
import { ACCESS, type RecordKey, type RecordType, type RecordTypeName } from '../../records/record-type.ts'
import { recordType, RECORD_TYPES } from '../../records/registry.ts'
import { GENERATED } from '../../records/secret.ts'
import { SecretVariables } from '../../records/secret-variables.ts'
import { fieldsInOrder, type Field } from '../../records/shape.ts'
import { fetchAllRecords, type RecordContent } from '../../store/model/records.ts'
import { fetchGeneratedSecrets } from '../../store/model/secrets.ts'
import { readDomain } from '../../store/domains.ts'
import type { DomainContext } from '../domain-context.ts'

/**
 * Exports the records as an import document whose plan has no changes. It is complete: a type without records is an
 * empty list, and an unset field is null, so that every later change differs from it.
 */
export async function exportDocument(
  { database, domain }: DomainContext,
  types: readonly RecordTypeName[] | null,
): Promise<JsonObject> {
  const wanted = RECORD_TYPES.filter(({ name }) => types === null || types.includes(name))
  const names = wanted.map(({ name }) => name)
  const { records, generated } = await readDomain(database, domain.id, async (sql) => ({
    records: await fetchAllRecords(sql, domain.id, names),
    generated: await fetchGeneratedSecrets(sql, domain.id, names.filter(holdsSecret)),
  }))
  const byType = Map.groupBy(records, ({ type }) => type)
  const placeholders = new SecretPlaceholders(generated)
  return Object.fromEntries(
    wanted.map((type) => [type.name, exportType(type, byType.get(type.name) ?? [], placeholders)]),
  )
}

/** The grants in the form of holdfast.yaml. */
export async function exportAccess({ database, domain }: DomainContext): Promise<JsonObject[]> {
  const records = await readDomain(database, domain.id, (sql) => fetchAllRecords(sql, domain.id, [ACCESS]))
  return exportType(recordType(ACCESS), records, new SecretPlaceholders([])).map(withoutDefaults)
}

/** One record in the form of a document, to paste into models. A node of a tree comes without its ancestors. */
export async function recordDocument({ database, domain }: DomainContext, record: RecordContent): Promise<JsonObject> {
  const type = recordType(record.type)
  const generated = holdsSecret(record.type)
    ? await readDomain(database, domain.id, (sql) => fetchGeneratedSecrets(sql, domain.id, [record.type]))
    : []
  const alone = { ...record, key: type.tree === undefined ? record.key : rootOf(record.key) }
  return { [record.type]: exportType(type, [alone], new SecretPlaceholders(generated)).map(withoutDefaultsOf(type)) }
}

function holdsSecret(name: RecordTypeName): boolean {
  return recordType(name).secret !== undefined
}

/** Leaves out values that are the schema's default. Others stay, because an unwritten field would keep its value. */
function withoutDefaultsOf(type: RecordType): (record: JsonObject) => JsonObject {
  const defaults = new Map(fieldsInOrder(type.definition).map(({ name, defaultValue }) => [name, defaultValue]))
  const isDefault = (name: string, value: Json) => JSON.stringify(value) === JSON.stringify(defaults.get(name))
  return (record) => Object.fromEntries(Object.entries(record).filter(([name, value]) => !isDefault(name, value)))
}

/** A grant without default values, as a person would write it. */
function withoutDefaults(grant: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(grant).filter(([, value]) => value !== false && value !== null))
}

function exportType(
  type: RecordType,
  records: readonly RecordContent[],
  placeholders: SecretPlaceholders,
): JsonObject[] {
  const children = Map.groupBy(records, ({ key }) => (type.tree ? parentKey(key) : null))
  const fields = writtenFields(type)
  const toDocument = ({ key, body }: RecordContent, depth: number): JsonObject => {
    const secret = type.secret === undefined ? {} : { [type.secret]: placeholders.of(type, key) }
    const below = (children.get(key) ?? []).map((child) => toDocument(child, depth + 1))
    const field = depth === 0 ? type.tree?.root : type.tree?.below
    return { ...wholeRecord(fields, { ...body, ...secret }), ...(field !== undefined && { [field]: below }) }
  }
  return (children.get(null) ?? []).map((record) => toDocument(record, 0))
}

interface WrittenField {
  readonly name: string
  /** The value of an unset field; undefined if the export leaves the field out. */
  readonly unset: Json | undefined
}

/** A record's fields in the order of the specification, without links and children, which are written elsewhere. */
function writtenFields(type: RecordType): readonly WrittenField[] {
  const elsewhere = new Set([type.tree?.root, ...(type.embedded ?? []).map(({ field }) => field)])
  const fields = fieldsInOrder(type.definition).filter(({ name }) => !elsewhere.has(name))
  return fields.map((field) => ({ name: field.name, unset: unsetValue(type, field) }))
}

function wholeRecord(fields: readonly WrittenField[], body: JsonObject): JsonObject {
  const record: { [field: string]: Json } = {}
  for (const { name, unset } of fields) {
    const value = body[name] ?? unset
    if (value !== undefined) record[name] = value
  }
  return record
}

/** The value of an unset field in a document; undefined if the specification defines none. */
function unsetValue({ emptyIsSet = [] }: RecordType, { name, nullable, isArray }: Field): Json | undefined {
  if (nullable) return null
  return isArray && !emptyIsSet.includes(name) ? [] : undefined
}

/** Replaces secrets in an exported document. */
class SecretPlaceholders {
  readonly #generated: ReadonlySet<string>
  readonly #variables = new SecretVariables()

  constructor(generated: readonly RecordKey[]) {
    this.#generated = new Set(generated.map(recordId))
  }

  of(type: RecordType, key: string): string {
    const isGenerated = this.#generated.has(recordId({ type: type.name, key }))
    return isGenerated ? GENERATED : this.#variables.referenceFor(type, key)
  }
}
