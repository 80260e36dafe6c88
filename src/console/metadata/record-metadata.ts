import type { MetadataItem } from '../../../generated/import-document.ts'
import { splitKey } from '../../records/identity.ts'
import { isMetadata } from '../../records/metadata.ts'
import { recordType } from '../../records/registry.ts'
import { updateRecord } from '../../platform/records/change-record.ts'
import type { StoredRecord } from '../../store/model/records.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Crumb, Visit } from '../page.ts'
import { fromGit } from '../parts/from-git.ts'
import { unchangedSince } from '../shown-with.ts'
import type { MetadataHolder } from './edit-metadata.ts'

export const METADATA = 'metadataKeyValueStore'

/** The kind of entity that metadata types name; null for records that have no metadata. */
export function metadataEntityOf({ type, key }: Pick<StoredRecord, 'type' | 'key'>): string | null {
  const { metadataEntity, tree } = recordType(type)
  return metadataEntity?.(tree === undefined ? 0 : splitKey(key).length - 1) ?? null
}

/** A copy has the type of its members, which an interface does not promise to have. */
function toJson({ key, value }: MetadataItem): JsonObject {
  return { key, value: typeof value === 'object' && value !== null ? { ...value } : value }
}

/** Null for records that have no metadata, and for parts of a tree, which are changed with its root. */
export async function recordHolder(
  visit: Visit,
  record: StoredRecord,
  { home, crumbs }: { readonly home: string; readonly crumbs: readonly Crumb[] },
): Promise<MetadataHolder | null> {
  const { type, key, body } = record
  const entity = metadataEntityOf(record)
  const isPart = recordType(type).tree !== undefined && splitKey(key).length > 1
  if (entity === null || isPart) return null
  const stored = body[METADATA]
  return {
    entity,
    name: key,
    stored: isMetadata(stored) ? stored : [],
    crumbs,
    home,
    before: await fromGit(visit, type),
    save: (items) =>
      updateRecord(visit.context, type, key, { [METADATA]: items.map(toJson) }, [], unchangedSince(record)),
  }
}
