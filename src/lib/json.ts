/** Any value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isJsonObject(value: Json): value is JsonObject {
  return isObject(value)
}

/** Array.isArray would take the items for values of any type. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Parses a text. What JSON.parse gives is always JSON. */
export function parseJson(text: string): Json {
  return JSON.parse(text)
}

/** The same value with the keys of every object sorted by code unit. Arrays keep their order. */
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

/** The text of a value with sorted keys and without white space. Equal values have equal texts. */
export function canonicalText(value: Json): string {
  return JSON.stringify(sortKeys(value))
}
