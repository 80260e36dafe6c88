import { isObject, type Json, type JsonObject } from '../../lib/json.ts'

/** What names the items of a list, in this order of preference; nothing here is said about any one list. */
const KEY_FIELDS = ['key', 'code', 'name'] as const

/** The first of the key fields that every item has, as a text that is unique in its list; null where there is none. */
export function keyFieldOf(...lists: readonly (readonly Json[])[]): string | null {
  if (lists.every((list) => list.length === 0)) return null
  return KEY_FIELDS.find((field) => lists.every((list) => isUniqueKey(list, field))) ?? null
}

function isUniqueKey(list: readonly Json[], field: string): boolean {
  const keys = new Set(list.map((item) => (isObject(item) ? item[field] : undefined)))
  return keys.size === list.length && [...keys].every((key) => typeof key === 'string')
}

/** The items by their keys, without the key: where only a `value` is left, that alone. */
export function itemsByKey(list: readonly Json[], field: string): ReadonlyMap<string, Json> {
  return new Map(list.map((item) => [String((item as JsonObject)[field]), withoutKey(item as JsonObject, field)]))
}

function withoutKey(item: JsonObject, field: string): Json {
  const { [field]: _, ...rest } = item
  const [only, ...others] = Object.keys(rest)
  return only === 'value' && others.length === 0 ? (rest['value'] ?? null) : rest
}

export function isScalarList(list: readonly Json[]): boolean {
  return list.every((item) => typeof item !== 'object' || item === null)
}

/** What is in `list` more often than in `other`, in the order of `list`. */
export function surplusItems(list: readonly Json[], other: readonly Json[]): Json[] {
  const left = new Map<Json, number>()
  for (const item of other) left.set(item, (left.get(item) ?? 0) + 1)
  return list.filter((item) => {
    const count = left.get(item) ?? 0
    left.set(item, count - 1)
    return count <= 0
  })
}
