import { isJsonObject, isObject, type Json, type JsonObject } from '../../lib/json.ts'

/** The fields that may name the items of a list, in order of preference. They hold for every list of the model. */
const KEY_FIELDS = ['key', 'code', 'name'] as const

/**
 * The first of the key fields that every item has as a text and that is unique in each list; null where there is
 * none.
 */
export function keyFieldOf(...lists: readonly (readonly Json[])[]): string | null {
  if (lists.every((list) => list.length === 0)) return null
  return KEY_FIELDS.find((field) => lists.every((list) => isUniqueKey(list, field))) ?? null
}

function isUniqueKey(list: readonly Json[], field: string): boolean {
  const keys = new Set(list.map((item) => (isObject(item) ? item[field] : undefined)))
  return keys.size === list.length && [...keys].every((key) => typeof key === 'string')
}

/** The items by their keys, without the key field. An item of which only a `value` is left becomes that value. */
export function itemsByKey(list: readonly Json[], field: string): ReadonlyMap<string, Json> {
  return new Map(list.filter(isJsonObject).map((item) => [String(item[field]), withoutKey(item, field)]))
}

function withoutKey(item: JsonObject, field: string): Json {
  const { [field]: _, ...rest } = item
  const [only, ...others] = Object.keys(rest)
  return only === 'value' && others.length === 0 ? (rest['value'] ?? null) : rest
}

export function isScalarList(list: readonly Json[]): boolean {
  return list.every((item) => typeof item !== 'object' || item === null)
}

/** The items that `list` has more often than `other`, in the order of `list`. */
export function surplusItems(list: readonly Json[], other: readonly Json[]): Json[] {
  const left = new Map<Json, number>()
  for (const item of other) left.set(item, (left.get(item) ?? 0) + 1)
  return list.filter((item) => {
    const count = left.get(item) ?? 0
    left.set(item, count - 1)
    return count <= 0
  })
}
