/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonObject(value: Json): value is JsonObject {
  return isObject(value)
}

/** Array.isArray would give the items the type `any`. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Parses a text. The result of JSON.parse is always JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text)
}

/** Parses the answer of another program; null if it is not JSON. */
export function jsonOrNull(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

/** Sorts the keys of every object by code unit. Arrays keep their order. */
export function sortKeys<Value extends Json>(value: Value): Value
export function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sortKeys(item))
  if (!isJsonObject(value)) return value
  // The object is made from entries, so that a member called `__proto__` stays a member.
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortKeys(value[key] ?? null)]),
  )
}

/** Writes a value with sorted keys and without white space. Equal values have equal texts. */
export function canonicalText(value: Json): string {
  return JSON.stringify(sortKeys(value))
}
