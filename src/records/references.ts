import { isObject } from '../lib/json.ts'
import { joinKey, parentKey } from './identity.ts'
import { valueAt } from './json-schema.ts'
import type { RecordBody, RecordKey, RecordType } from './record-type.ts'

/** A reference to another record. `owner`: whether the referring record is deleted with it. */
interface Reference extends RecordKey {
  readonly path: readonly string[]
  readonly owner: boolean
  /** Whether the field contains the whole key. */
  readonly isKey: boolean
}

export function referencesOf(type: RecordType, key: string, body: RecordBody): Reference[] {
  const found: Reference[] = []
  for (const { path, type: target, owner, isKey = false } of type.references ?? []) {
    const value = valueAt(body, path)
    if (typeof value === 'string')
      found.push({ type: target, key: isKey ? value : joinKey([value]), path, owner, isKey })
  }
  const parent = type.tree ? parentKey(key) : null
  if (parent !== null) found.push({ type: type.name, key: parent, path: [], owner: true, isKey: true })
  return found
}

/** The records that are referred to, without duplicates. */
export function referredRecords(type: RecordType, key: string, body: RecordBody): Reference[] {
  const references = referencesOf(type, key, body)
  return references.filter((one, index) => references.findIndex((other) => isSame(other, one)) === index)
}

function isSame(a: RecordKey, b: RecordKey): boolean {
  return a.key === b.key && a.type === b.type
}

/** The body with the value at one path replaced. The path must exist. */
export function withReference(body: RecordBody, [field, ...rest]: readonly string[], value: string): RecordBody {
  if (field === undefined) return body
  const inner = body[field]
  return {
    ...body,
    [field]: rest.length === 0 ? value : withReference(isObject(inner) ? inner : {}, rest, value),
  }
}
