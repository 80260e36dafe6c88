import { isObject, type JsonObject } from '../lib/json.ts'
import type { OidName } from './values.ts'

/**
 * A column of a result: its type in PostgreSQL, and its values in JavaScript. Every result is checked against the type
 * (row-shape.ts). PostgreSQL does not report which values may be null, nor which texts are allowed, so only the
 * databases of the tests check every value, by `holds`.
 */
export interface Column<Value> {
  readonly type: OidName
  readonly holds: (value: unknown) => value is Value
}

export const BOOL: Column<boolean> = { type: 'bool', holds: (value) => typeof value === 'boolean' }
export const INT4: Column<number> = { type: 'int4', holds: isNumber }
export const INT8: Column<number> = { type: 'int8', holds: isNumber }
export const FLOAT8: Column<number> = { type: 'float8', holds: isNumber }
export const TEXT: Column<string> = { type: 'text', holds: isString }
export const UUID: Column<string> = { type: 'uuid', holds: isString }
export const BYTEA: Column<Uint8Array> = { type: 'bytea', holds: (value) => value instanceof Uint8Array }
export const TIMESTAMPTZ: Column<Date> = { type: 'timestamptz', holds: (value) => value instanceof Date }
export const UUID_ARRAY: Column<readonly string[]> = { type: 'uuidArray', holds: isListOf(isString) }
export const TEXT_ARRAY: Column<readonly string[]> = { type: 'textArray', holds: isListOf(isString) }
export const JSONB_OBJECT: Column<JsonObject> = { type: 'jsonb', holds: isJsonObject }

export function nullable<Value>({ type, holds }: Column<Value>): Column<Value | null> {
  return { type, holds: (value) => value === null || holds(value) }
}

/** Makes a text column with values that pass a test, such as digests. */
export function textOf<Value extends string>(isOne: (text: string) => text is Value): Column<Value> {
  return { type: 'text', holds: (value) => isString(value) && isOne(value) }
}

/** Makes a text column with values of a closed set. */
export function oneOf<Value extends string>(values: readonly Value[]): Column<Value> {
  const known = new Set<string>(values)
  return textOf((text): text is Value => known.has(text))
}

export function json<Value>(holds: Column<Value>['holds']): Column<Value> {
  return { type: 'json', holds }
}

export function jsonb<Value>(holds: Column<Value>['holds']): Column<Value> {
  return { type: 'jsonb', holds }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Tells whether a value is a JSON object. It was parsed from JSON, so its members need no check. */
function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value)
}

export function isMapOf<Value>(isValue: (value: unknown) => value is Value) {
  return (value: unknown): value is { readonly [key: string]: Value } =>
    isObject(value) && Object.values(value).every(isValue)
}

export function isListOf<Item>(isItem: (value: unknown) => value is Item) {
  return (value: unknown): value is readonly Item[] => Array.isArray(value) && value.every(isItem)
}
