import { escapePart, unescapePart } from '../lib/pointer.ts'
import type { JsonObject } from '../lib/json.ts'
import type { RecordBody, RecordType } from './record-type.ts'

/** Joins the parts of a composite key with `/`, escaped as in RFC 6901. */
export function joinKey(parts: readonly string[]): string {
  return parts.length === 1 ? escapePart(parts[0] ?? '') : parts.map(escapePart).join('/')
}

export function splitKey(key: string): string[] {
  return key.split('/').map(unescapePart)
}

/** The key of the parent of a record in a tree; null for the root. */
export function parentKey(key: string): string | null {
  const end = key.lastIndexOf('/')
  return end === -1 ? null : key.slice(0, end)
}

/** Tells whether one of these keys is above another key in its tree. */
export function isBelowAny(key: string, keys: { has(key: string): boolean }): boolean {
  return keysAbove(key).some((node) => keys.has(node))
}

/** The keys of the nodes above a record in its tree, from its parent to the root. */
export function keysAbove(key: string): string[] {
  const above: string[] = []
  for (let node = parentKey(key); node !== null; node = parentKey(node)) above.push(node)
  return above
}

/** The key of the root of the tree that a node is in. */
export function rootOf(key: string): string {
  const end = key.indexOf('/')
  return end === -1 ? key : key.slice(0, end)
}

/** The fields that form the key of a record. */
export function keyFieldsOf(type: RecordType, body: JsonObject): readonly string[] {
  return type.identifiedBy?.(body) ?? type.identity
}

/** The key of a record. `parent` is the key of its parent in a tree. */
export function keyOf(type: RecordType, body: JsonObject, parent: string | null = null): string {
  const own = ownKey(type, body)
  return parent === null ? own : `${parent}/${own}`
}

function ownKey(type: RecordType, body: JsonObject): string {
  if (type.identify !== undefined) return joinKey(type.identify(body))
  const { identity } = type
  // Most records have a single identity field, including all types with hundreds of thousands of records.
  return identity.length === 1
    ? escapePart(String(body[identity[0]]))
    : joinKey(identity.map((field) => String(body[field])))
}

/** The canonical form of a key that a person wrote, e.g. an e-mail address in lower case. */
export function comparedKey({ comparedPart }: RecordType, written: string): string {
  if (comparedPart === undefined) return written
  return joinKey(splitKey(written).map((part, index, parts) => comparedPart(part, index, parts)))
}

/** Returns the body with another key. In a tree, a body contains only the last part of its key. */
export function renamed(type: RecordType, body: RecordBody, key: string): RecordBody {
  const parts = type.tree ? splitKey(key).slice(-1) : splitKey(key)
  if (type.rename) return type.rename(body, parts)
  return { ...body, ...Object.fromEntries(type.identity.map((field, index) => [field, parts[index] ?? ''])) }
}
