import { comparedKey, joinKey, splitKey } from '../../records/identity.ts'
import type { RecordTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'

/** A record and its new key. Both keys are in canonical form. */
export interface Renaming {
  readonly type: RecordTypeName
  readonly from: string
  readonly to: string
}

/** The new key of a record of the renamed type: it or its ancestor in a tree is renamed; null if it stays. */
export function newKey(written: string, { type: name, from, to }: Renaming): string | null {
  const type = recordType(name)
  const key = comparedKey(type, written)
  if (key === from) return to
  return type.tree !== undefined && key.startsWith(`${from}/`) ? to + key.slice(from.length) : null
}

/** The new key of a record of any type, because its key may contain the renamed one; null if the key stays. */
export function newKeyOf(name: RecordTypeName, written: string, renaming: Renaming): string | null {
  if (name === renaming.type) return newKey(written, renaming)
  const { identity, references = [] } = recordType(name)
  const parts = splitKey(written)
  const made = parts.map((part, index) => {
    const refers = references.some(({ path: [field], type }) => field === identity[index] && type === renaming.type)
    const found = refers && parts.length === identity.length ? newKey(joinKey([part]), renaming) : null
    return found === null ? part : (splitKey(found)[0] ?? '')
  })
  const key = joinKey(made)
  return key === joinKey(parts) ? null : key
}
