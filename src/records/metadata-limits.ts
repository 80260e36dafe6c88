import type { Json } from '../lib/json.ts'

/** The field of records, systems, components and events that has their metadata. */
export const METADATA_FIELD = 'metadataKeyValueStore'

/**
 * The limits of the metadata of one record, system, component or event. A page reads the metadata of a thousand, so it
 * must be small. Models use a few dozen short items.
 */
export const MOST_METADATA = { items: 200, bytes: 16_384 } as const

interface Item {
  readonly key: string
  readonly value: Json
}

/** Why metadata in tagged form is too much; null where it is not. */
export function metadataExcess(items: readonly Item[]): string | null {
  const { items: most, bytes: mostBytes } = MOST_METADATA
  if (items.length > most) return `the metadata has ${items.length} items, and ${most} is the most; keep fewer`
  const bytes = items.reduce((sum, { key, value }) => sum + Buffer.byteLength(key) + bytesOf(value), 0)
  if (bytes <= mostBytes) return null
  return `the metadata takes ${bytes} bytes, and ${mostBytes} is the most; keep long texts elsewhere`
}

function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}
