import type { MetadataItem } from '../../../generated/import-document.ts'
import type { Sql } from '../../db/sql.ts'
import { metadataRules, notUnique, writtenProblem, type MetadataRules } from '../../documents/checks/metadata-rules.ts'
import { entriesOf } from '../../lib/entries.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isJsonObject, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { DataEntity } from '../../records/entity.ts'
import { fitsDataType, METADATA_TAGS, plainValue, taggedValue, type MetadataDataType } from '../../records/metadata.ts'
import { metadataExcess } from '../../records/metadata-limits.ts'
import { RECORD_TYPES } from '../../records/registry.ts'
import { noteUniqueValues, type HeldValue } from '../../store/model/metadata-values.ts'
import { fetchAllRecords } from '../../store/model/records.ts'
import { checkedLine, checkedText } from './input-problems.ts'

// The metadata of systems, components and events has the same form as metadata of records, and follows the
// MetadataTypes of its entity.

interface TaggedItem {
  readonly key: string
  readonly value: Json
}

export interface EntityRules {
  readonly entity: DataEntity
  readonly rules: MetadataRules
  /** The default values in tagged form, by key. */
  readonly defaults: ReadonlyMap<string, Json>
}

const RULING = RECORD_TYPES.filter(({ metadataRule }) => metadataRule !== undefined)

export async function fetchEntityRules(sql: Sql, domainId: number, entity: DataEntity): Promise<EntityRules> {
  const records = await fetchAllRecords(
    sql,
    domainId,
    RULING.map(({ name }) => name),
  )
  const own = records.flatMap(({ type, body }) => {
    const rule = RULING.find(({ name }) => name === type)?.metadataRule?.(body)
    return rule?.entity === entity ? [{ rule, value: body['default'] ?? null }] : []
  })
  const rules = metadataRules(own.map(({ rule }) => rule))
  const defaults = own.flatMap(({ rule: { key }, value }): [string, Json][] =>
    value === null ? [] : [[key, taggedValue(value, rules.dataTypes(entity, key))]],
  )
  return { entity, rules, defaults: new Map(defaults) }
}

/** The metadata of a new entity. Missing values get the default of their MetadataType. */
export function newMetadata(entity: EntityRules, given: readonly MetadataItem[]): TaggedItem[] {
  const items = new Map([...entity.defaults, ...checkedItems(entity, given)])
  return within(items)
}

/** The metadata that replaces the present one. */
export function changedMetadata(entity: EntityRules, given: readonly MetadataItem[]): TaggedItem[] {
  return within(checkedItems(entity, given))
}

/** The items in their order. Fails if there are more than the limit. */
function within(items: ReadonlyMap<string, Json>): TaggedItem[] {
  const list = [...items].map(([key, value]) => ({ key, value })).sort((a, b) => (a.key < b.key ? -1 : 1))
  const excess = metadataExcess(list)
  if (excess !== null) throw new HoldfastError('LIMIT_EXCEEDED', excess)
  return list
}

function checkedItems({ entity, rules }: EntityRules, given: readonly MetadataItem[]): Map<string, Json> {
  const items = new Map<string, Json>()
  for (const { key, value } of given) {
    checkedLine(key, 'a metadata key')
    if (items.has(key)) throw wrong(key, 'it is given twice; keep one')
    const dataType = rules.dataTypes(entity, key)
    const tagged = tag(key, toJson(value), dataType)
    const problem = writtenProblem(tagged, dataType)
    if (problem !== null) throw wrong(key, problem)
    items.set(key, tagged)
  }
  return items
}

function tag(key: string, value: Json, dataType: MetadataDataType | undefined): Json {
  const plain = plainValue(value)
  if (typeof plain === 'string') checkedText(plain, `metadata ${JSON.stringify(key)}`)
  if (isJsonObject(value) && !isTagged(value))
    throw wrong(
      key,
      `an object must have exactly one member, named ${Object.values(METADATA_TAGS).join(', ')}, and a value of that kind`,
    )
  if (plain !== null && !['string', 'number', 'boolean'].includes(typeof plain))
    throw wrong(key, 'the value must be a text, a number, true, false or null')
  if (
    typeof plain === 'number' &&
    Number.isInteger(plain) &&
    !Number.isSafeInteger(plain) &&
    isInteger(value, dataType)
  )
    throw wrong(key, `the number ${plain} cannot be stored exactly; write it as {integer: "…"}, its digits as a text`)
  return taggedValue(value, dataType)
}

/** A copy has a checked type; an interface does not guarantee the type of its members. */
export function toJson(value: MetadataItem['value']): Json {
  return typeof value === 'object' && value !== null ? { ...value } : value
}

function isInteger(value: unknown, dataType: MetadataDataType | undefined): boolean {
  return isObject(value) ? 'integer' in value : dataType !== 'FLOAT'
}

function isTagged(value: JsonObject): boolean {
  const [[name, plain] = [], ...more] = Object.entries(value)
  const kinds = entriesOf(METADATA_TAGS)
  return more.length === 0 && kinds.some(([dataType, known]) => known === name && hasShape(plain ?? null, dataType))
}

/** A malformed timestamp has its own message. */
function hasShape(plain: Json, dataType: MetadataDataType): boolean {
  return dataType === 'TIMESTAMP' ? typeof plain === 'string' : fitsDataType(plain, dataType)
}

function wrong(key: string, problem: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', `metadata ${JSON.stringify(key)}: ${problem}`)
}

interface MetadataHolder {
  readonly uuid: string
  readonly metadataKeyValueStore: readonly MetadataItem[]
}

/** Refuses unique values that another entity already has. The caller's transaction must end with the error. */
export async function keepUnique(
  sql: Sql,
  domainId: number,
  rules: EntityRules,
  holders: readonly MetadataHolder[],
): Promise<void> {
  const [taken] = await noteUnique(sql, domainId, rules, holders)
  if (taken !== undefined) throw notUniqueError(taken)
}

/** Notes the unique values, and returns those that another entity already has. If any, the transaction must end. */
export async function noteUnique(
  sql: Sql,
  domainId: number,
  rules: EntityRules,
  holders: readonly MetadataHolder[],
): Promise<readonly HeldValue[]> {
  const values = holders.flatMap((holder) => uniqueValues(rules, holder))
  const uuids = holders.map(({ uuid }) => uuid)
  return noteUniqueValues(sql, domainId, uuids, values)
}

/** The values of a holder that must be unique. */
export function uniqueValues(
  { entity, rules }: EntityRules,
  { uuid, metadataKeyValueStore }: MetadataHolder,
): readonly HeldValue[] {
  return metadataKeyValueStore
    .filter(({ key, value }) => value !== null && rules.isUnique(entity, key))
    .map(({ key, value }): HeldValue => ({ entity, key, value: toJson(value), holder: uuid }))
}

export function notUniqueError({ key, value }: HeldValue): HoldfastError {
  return new HoldfastError('CONFLICT', notUnique(key, value).message)
}
