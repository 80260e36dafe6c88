import type { Diagnostic } from '../lib/diagnostic.ts'
import { isObject, type Json, type JsonObject } from '../lib/json.ts'
import type { MetadataDataTypes } from '../records/canonical.ts'
import { splitKey } from '../records/identity.ts'
import { fitsDataType, METADATA_TAGS, plainValue, type MetadataDataType } from '../records/metadata.ts'
import type { MetadataRule, RecordType } from '../records/record-type.ts'
import { recordType, RECORD_TYPES } from '../records/registry.ts'
import type { DesiredRecord, Snapshot } from './snapshot.ts'

export const METADATA_FIELD = 'metadataKeyValueStore'

export interface MetadataRules {
  readonly dataTypes: MetadataDataTypes
  isUnique(entity: string, key: string): boolean
}

/** The metadata types of the document where it manages them, else those of the platform. */
export function metadataTypesOf(document: JsonObject, live: MetadataRules): MetadataRules {
  const ruling = RECORD_TYPES.find(({ metadataRule }) => metadataRule !== undefined)
  const list = ruling === undefined ? undefined : document[ruling.name]
  if (ruling?.metadataRule === undefined || !Array.isArray(list)) return live
  const rules = new Map<string, MetadataRule>()
  for (const body of list as readonly Json[]) {
    if (!isObject(body)) continue
    const rule = ruling.metadataRule(body as JsonObject)
    rules.set(`${rule.entity}/${rule.key}`, rule)
  }
  return metadataRules(rules)
}

/** `rules` by `entity/key`. */
export function metadataRules(rules: ReadonlyMap<string, MetadataRule>): MetadataRules {
  return {
    dataTypes: (entity, key) => rules.get(`${entity}/${key}`)?.dataType as MetadataDataType | undefined,
    isUnique: (entity, key) => rules.get(`${entity}/${key}`)?.unique === true,
  }
}

export const NO_METADATA_RULES = metadataRules(new Map())

/** Keys given once, values that fit their MetadataType, and no value twice where it must be unique. */
export function metadataDiagnostics(snapshot: Snapshot, rules: MetadataRules): Diagnostic[] {
  const found: Diagnostic[] = []
  const firstUses = new Map<string, string>()
  for (const [name, { records }] of snapshot) {
    const type = recordType(name)
    if (type.metadataEntity === undefined) continue
    for (const record of records.values()) checkMetadata(type, record, rules, firstUses, found)
  }
  return found
}

/** The metadata of a record that may be on no other one, each as a text that is the same for equal values. */
export function uniqueValues(type: RecordType, key: string, body: JsonObject, rules: MetadataRules): { key: string; value: Json; use: string }[] {
  const items = body[METADATA_FIELD]
  if (type.metadataEntity === undefined || !Array.isArray(items)) return []
  const entity = type.metadataEntity(type.tree ? splitKey(key).length - 1 : 0)
  return (items as readonly { key: string; value: Json }[])
    .filter((item) => item.value !== null && rules.isUnique(entity, item.key))
    .map((item) => ({ ...item, use: JSON.stringify([entity, item.key, item.value]) }))
}

function checkMetadata(type: RecordType, record: DesiredRecord, rules: MetadataRules, firstUses: Map<string, string>, found: Diagnostic[]): void {
  const items = record.body[METADATA_FIELD]
  if (!Array.isArray(items)) return
  const entity = type.metadataEntity?.(type.tree ? splitKey(record.key).length - 1 : 0) ?? ''
  const pointer = `${record.pointer ?? ''}/${METADATA_FIELD}`
  let previous: string | undefined
  for (const item of items as readonly { key: string; value: Json }[]) {
    if (item.key === previous) {
      found.push({ severity: 'error', code: 'duplicate-metadata-key', pointer, message: `the metadata key ${JSON.stringify(item.key)} is given twice; keep one` })
    }
    previous = item.key
    const problem = valueProblem(item.value, rules.dataTypes(entity, item.key))
    if (problem !== null) found.push({ severity: 'error', code: 'metadata-value', pointer, message: `metadata ${JSON.stringify(item.key)}: ${problem}` })
  }
  for (const { key, value, use } of uniqueValues(type, record.key, record.body, rules)) {
    const first = firstUses.get(use)
    if (first === undefined) firstUses.set(use, pointer)
    else found.push({ ...notUnique(key, value), pointer, related: [{ pointer: first }] })
  }
}

export function notUnique(key: string, value: Json): Pick<Diagnostic, 'severity' | 'code' | 'message'> {
  const message = `the value ${JSON.stringify(plainValue(value))} of metadata ${JSON.stringify(key)} is already used, and its MetadataType says unique`
  return { severity: 'error', code: 'metadata-not-unique', message }
}

function valueProblem(tagged: Json, dataType: MetadataDataType | undefined): string | null {
  if (tagged === null || dataType === undefined || !isObject(tagged)) return null
  const tag = Object.keys(tagged)[0] ?? ''
  const allowed = METADATA_TAGS[dataType]
  const fits = fitsDataType(plainValue(tagged), dataType) && (tag === allowed || (tag === 'integer' && dataType === 'FLOAT'))
  return fits ? null : `its MetadataType wants dataType ${dataType}, so the value must be a ${allowed}, not a ${tag}`
}
