import { isJsonList, isObject, type Json, type JsonObject } from '../lib/json.ts'

// A document and its base are mostly equal. So the base is stored as its difference from the document.

/** The difference of one list of records; null if the base does not have the type. */
type BaseList = null | {
  /** The indices of the records in the document that the base lacks. */
  readonly without: readonly number[]
  /** The records that only the base has. */
  readonly with: readonly Json[]
}

/** The record types in which the base differs from the document. */
export interface BaseDifference {
  readonly [type: string]: BaseList
}

export function differenceOf(document: JsonObject, base: JsonObject): BaseDifference {
  const types = new Set([...Object.keys(document), ...Object.keys(base)])
  const found = [...types].flatMap((type) => {
    const list = differenceOfLists(document[type], base[type])
    return list === undefined ? [] : [[type, list] as const]
  })
  return Object.fromEntries(found)
}

function differenceOfLists(list: Json | undefined, base: Json | undefined): BaseList | undefined {
  if (base === undefined) return list === undefined ? undefined : null
  const [records, others] = [listOf(list), listOf(base)]
  const open = countsOf(others)
  const without = records.flatMap((record, place) => (takeFrom(open, record) ? [] : [place]))
  const missing = others.filter((record) => takeFrom(open, record))
  return list !== undefined && without.length === 0 && missing.length === 0 ? undefined : { without, with: missing }
}

function listOf(value: Json | undefined): readonly Json[] {
  return value !== undefined && isJsonList(value) ? value : []
}

function countsOf(records: readonly Json[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const record of records) {
    const text = JSON.stringify(record)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

function takeFrom(counts: Map<string, number>, record: Json): boolean {
  const text = JSON.stringify(record)
  const count = counts.get(text) ?? 0
  if (count > 0) counts.set(text, count - 1)
  return count > 0
}

/** Restores the base; null if this is not a difference from the document. */
export function baseFrom(document: unknown, difference: unknown): { readonly [type: string]: unknown } | null {
  if (!isObject(document) || !isObject(difference)) return null
  const base = new Map(Object.entries(document))
  for (const [type, list] of Object.entries(difference)) {
    if (list === null) base.delete(type)
    else if (isObject(list) && isPlaces(list['without']) && Array.isArray(list['with'])) {
      const without = new Set(list['without'])
      const records: unknown = base.get(type) ?? []
      if (!Array.isArray(records)) return null
      base.set(type, [...records.filter((_, place) => !without.has(place)), ...list['with']])
    } else return null
  }
  return Object.fromEntries(base)
}

function isPlaces(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((place) => Number.isInteger(place))
}
