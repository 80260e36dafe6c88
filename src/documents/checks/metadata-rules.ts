import { withArticle } from '../../lib/article.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { isJsonList, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { quoted } from '../../lib/quoted.ts'
import type { MetadataDataTypes } from '../../records/canonical.ts'
import { splitKey } from '../../records/identity.ts'
import { instantFlaw, isInstant } from '../../records/instant.ts'
import {
  byMetadataKey,
  fitsDataType,
  isMetadata,
  METADATA_TAGS,
  plainValue,
  type MetadataDataType,
} from '../../records/metadata.ts'
import { METADATA_FIELD, metadataExcess } from '../../records/metadata-limits.ts'
import type { MetadataRule, RecordBody, RecordType } from '../../records/record-type.ts'
import { quote } from '../../records/schema-findings/schema-words.ts'
import { RECORD_TYPES } from '../../records/registry.ts'
import { soundRecord, type Flaws } from './flaws.ts'
import type { DesiredRecord } from '../snapshot.ts'

/** Tells whether a record has metadata under one of these keys. */
export function hasMetadata(body: RecordBody, keys: readonly string[]): boolean {
  const items = body[METADATA_FIELD]
  return Array.isArray(items) && items.some((item) => isObject(item) && keys.includes(String(item['key'])))
}

export interface MetadataRules {
  readonly dataTypes: MetadataDataTypes
  isUnique(entity: string, key: string): boolean
  /** Whether a key has two rules, so that its values cannot be checked. */
  isDisputed(entity: string, key: string): boolean
  /** Whether `isUnique` is true for any key. */
  readonly someUnique: boolean
}

/** The metadata types of the document, if it manages them, or else the metadata types of the platform. */
export function metadataTypesOf(document: JsonObject, live: MetadataRules, flaws: Flaws = new Map()): MetadataRules {
  const ruling = RECORD_TYPES.find(({ metadataRule }) => metadataRule !== undefined)
  const list = ruling === undefined ? undefined : document[ruling.name]
  if (ruling?.metadataRule === undefined || !isJsonList(list)) return live
  const rules: MetadataRule[] = []
  for (const [index, body] of list.entries()) {
    const sound = soundRecord(ruling, body, flaws.get(ruling.name)?.inside.get(String(index)), 0)
    if (sound !== null) rules.push(ruling.metadataRule(sound.body))
  }
  return metadataRules(rules)
}

/**
 * Makes the rules. If a key has two rules, the last one applies. The maps are nested because every item of metadata is
 * looked up, and a joined key would have to be built each time.
 */
export function metadataRules(rules: readonly MetadataRule[]): MetadataRules {
  const byEntity = new Map<string, Map<string, MetadataRule>>()
  const disputed = new Set<MetadataRule>()
  for (const rule of rules) {
    const ofEntity = byEntity.get(rule.entity) ?? new Map<string, MetadataRule>()
    if (ofEntity.has(rule.key)) disputed.add(rule)
    byEntity.set(rule.entity, ofEntity.set(rule.key, rule))
  }
  const ruleOf = (entity: string, key: string) => byEntity.get(entity)?.get(key)
  return {
    dataTypes: (entity, key) => ruleOf(entity, key)?.dataType,
    isUnique: (entity, key) => ruleOf(entity, key)?.unique === true,
    isDisputed: (entity, key) => {
      const rule = disputed.size === 0 ? undefined : ruleOf(entity, key)
      return rule !== undefined && disputed.has(rule)
    },
    someUnique: rules.some(({ unique }) => unique),
  }
}

export const NO_METADATA_RULES = metadataRules([])

/**
 * Checks for each record that its metadata is within the limits, that its keys are unique, and that its values match
 * their MetadataType. Values that must be unique are checked across all records.
 */
export class MetadataChecker {
  readonly diagnostics: Diagnostic[] = []
  readonly #rules: MetadataRules
  readonly #firstUses = new Map<string, string>()

  constructor(rules: MetadataRules) {
    this.#rules = rules
  }

  /** Checks a record. `body` is its canonical form, and `written` the form in which the document has it. */
  check(
    type: RecordType,
    { key, pointer }: Pick<DesiredRecord, 'key' | 'pointer'>,
    body: RecordBody,
    written: JsonObject,
  ): void {
    this.checkAt(type, depthOf(type, key), pointer ?? '', body, written)
  }

  /** Checks a record with an unknown key. `depth` is its depth in a tree. */
  checkAt(type: RecordType, depth: number, pointer: string, body: RecordBody, written: JsonObject): void {
    const items = body[METADATA_FIELD]
    if (type.metadataEntity === undefined || !isMetadata(items) || items.length === 0) return
    const entity = type.metadataEntity(depth)
    const excess = metadataExcess(items)
    if (excess !== null) this.#report(`${pointer}/${METADATA_FIELD}`, 'metadata-too-large', excess)
    const place = metadataPointers(pointer, written)
    let index = -1
    let first = 0
    for (const { key, value } of items) {
      index += 1
      if (key !== items[first]?.key) first = index
      else if (index > first) this.#reportRepeated(key, place(index, 'key'), place(first, 'key'))
      if (this.#rules.isDisputed(entity, key)) continue
      const problem = writtenProblem(value, this.#rules.dataTypes(entity, key))
      if (problem !== null)
        this.#report(place(index, 'value'), 'metadata-value', `metadata ${JSON.stringify(key)}: ${problem}`)
      if (value !== null && this.#rules.isUnique(entity, key))
        this.#noteUse(place(index, 'value'), { entity, key, value })
    }
  }

  #report(pointer: string, code: string, message: string): void {
    this.diagnostics.push({ severity: 'error', code, message, pointer })
  }

  #reportRepeated(key: string, pointer: string, first: string): void {
    const message = `the metadata key ${JSON.stringify(key)} is given twice; keep one`
    const related = [{ pointer: first }]
    this.diagnostics.push({ severity: 'error', code: 'duplicate-metadata-key', message, pointer, related })
  }

  #noteUse(pointer: string, { entity, key, value }: MetadataItem): void {
    const use = JSON.stringify([entity, key, value])
    const first = this.#firstUses.get(use)
    if (first === undefined) this.#firstUses.set(use, pointer)
    else this.diagnostics.push({ ...notUnique(key, value), pointer, related: [{ pointer: first }] })
  }
}

/** Finds the JSON Pointers of items of metadata. An index is by the canonical order of keys, a pointer as written. */
export function metadataPointers(
  record: string,
  written: JsonObject,
): (index: number, member: 'key' | 'value') => string {
  let places: readonly { readonly at: number }[] | undefined
  return (index, member) => {
    const items = written[METADATA_FIELD]
    // The places are computed on first use, because nearly all metadata has no findings.
    places ??= isMetadata(items) ? items.map(({ key }, at) => ({ key, at })).sort(byMetadataKey) : []
    const place = places[index]
    const pointer = `${record}/${METADATA_FIELD}`
    return place === undefined ? pointer : `${pointer}/${place.at}/${member}`
  }
}

/** One item of a record's metadata, with its value in tagged form and the kind of entity that the record is. */
export interface MetadataItem {
  readonly entity: string
  readonly key: string
  readonly value: Json
}

export function metadataItems(type: RecordType, key: string, body: JsonObject): MetadataItem[] {
  return itemsAt(type, depthOf(type, key), body)
}

function depthOf(type: RecordType, key: string): number {
  return type.tree ? splitKey(key).length - 1 : 0
}

function itemsAt(type: RecordType, depth: number, body: JsonObject): MetadataItem[] {
  const items = body[METADATA_FIELD]
  if (type.metadataEntity === undefined || !isMetadata(items)) return []
  const entity = type.metadataEntity(depth)
  return items.map((item) => ({ entity, key: item.key, value: item.value }))
}

export function notUnique(key: string, value: Json) {
  const message = `the value ${quoted(plainValue(value))} of metadata ${JSON.stringify(key)} is already used, and its MetadataType says unique`
  return { severity: 'error' as const, code: 'metadata-not-unique', message }
}

/** The reason why a MetadataType rejects a tagged value; null if it accepts the value. */
export function valueProblem(tagged: Json, dataType: MetadataDataType | undefined): string | null {
  if (tagged === null || dataType === undefined || !isObject(tagged)) return null
  const tag = Object.keys(tagged)[0] ?? ''
  const plain = plainValue(tagged)
  const allowed = METADATA_TAGS[dataType]
  if (fitsDataType(plain, dataType) && (tag === allowed || (tag === 'integer' && dataType === 'FLOAT'))) return null
  const wanted =
    dataType === 'TIMESTAMP' && typeof plain === 'string' && !isInstant(plain)
      ? instantWanted(plain)
      : `${withArticle(allowed)}, not ${withArticle(tag)}`
  return `its MetadataType wants dataType ${dataType}, so the value must be ${wanted}`
}

/**
 * The reason why a tagged value cannot be written; null if it can be written. A timestamp must be valid even without a
 * MetadataType, because it could not be read again.
 */
export function writtenProblem(tagged: Json, dataType: MetadataDataType | undefined): string | null {
  if (dataType !== undefined || !isObject(tagged)) return valueProblem(tagged, dataType)
  const { timestamp } = tagged
  return typeof timestamp !== 'string' || isInstant(timestamp) ? null : `the value must be ${instantWanted(timestamp)}`
}

function instantWanted(text: string): string {
  return `a date-time with offset such as 2026-01-31T06:30:00Z, but is ${quote(text)}${instantFlaw(text)}`
}
