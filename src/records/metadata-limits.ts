import { isJsonObject, type Json } from '../lib/json.ts'

/** The field of records, systems, components and events that contains their metadata. */
export const METADATA_FIELD = 'metadataKeyValueStore'

/**
 * The limits of the metadata of one record, system, component or event. Metadata must be small, because a page reads a
 * thousand records. Models use a few dozen short items.
 */
export const MOST_METADATA = { items: 200, bytes: 16_384 } as const

interface Item {
  readonly key: string
  readonly value: Json
}

/** Explains why tagged metadata exceeds a limit; null if it does not. */
export function metadataExcess(items: readonly Item[]): string | null {
  const { items: most, bytes: mostBytes } = MOST_METADATA
  if (items.length > most) return `the metadata has ${items.length} items, and ${most} is the most; keep fewer`
  let bound = 0
  for (const { key, value } of items) bound += 3 * key.length + boundOf(value)
  if (bound <= mostBytes) return null
  const bytes = items.reduce((sum, { key, value }) => sum + Buffer.byteLength(key) + bytesOf(value), 0)
  if (bytes <= mostBytes) return null
  return `the metadata takes ${bytes} bytes, and ${mostBytes} is the most; keep long texts elsewhere`
}

/** An upper bound for the bytes of a value as JSON, without creating the text. An escaped character takes six bytes. */
function boundOf(value: Json): number {
  if (typeof value === 'string') return 6 * value.length + 2
  if (typeof value !== 'object' || value === null) return 25
  if (!isJsonObject(value)) return Infinity
  let bound = 2
  for (const key in value) bound += 6 * key.length + 4 + boundOf(value[key] ?? null)
  return bound
}

function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}
