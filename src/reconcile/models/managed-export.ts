import { readDocument } from '../../documents/read/read-document.ts'
import type { Snapshot } from '../../documents/snapshot.ts'
import { namedPart, namedRecords } from '../../documents/write/named-part.ts'
import type { JsonObject } from '../../lib/json.ts'
import { ACCESS, DOCUMENT_TYPE_NAMES, type DocumentTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import type { Export, WantedExport } from '../target/target.ts'
import type { Models } from './models.ts'

/** An export of the records that the models describe. */
export interface ManagedExport {
  readonly wanted: WantedExport
  /** Leaves out the records and fields that the models do not name, since such an export may be published. */
  namedIn(whole: Export): Export
}

export function exportManagedBy({ document, settings }: Pick<Models, 'document' | 'settings'>): ManagedExport {
  const { snapshot } = readDocument(document)
  const grants = (settings.access ?? []).map((grant): JsonObject => ({ ...grant }))
  return {
    wanted: { types: managedTypes(snapshot), access: settings.access !== undefined },
    namedIn: ({ document: whole, access }) => ({
      document: namedPart(whole, document, snapshot),
      access: access && namedRecords(recordType(ACCESS), access, grants),
    }),
  }
}

/** The record types that the models describe, including links that appear only in lists inside other records. */
function managedTypes(snapshot: Snapshot): DocumentTypeName[] {
  return DOCUMENT_TYPE_NAMES.filter((name) => (snapshot.get(name)?.coverage ?? 'none') !== 'none')
}
