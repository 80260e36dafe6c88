import { loadDocument } from '../../documents/read/load.ts'
import type { SourceFile } from '../../documents/read/read-file.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { keyOf } from '../../records/identity.ts'
import { recordType } from '../../records/registry.ts'
import { GENERATED, isUnresolvedReference } from '../../records/secret.ts'
import { NoDirectoryError, readModels } from './model-source.ts'
import { NO_REFERENCES } from './reference-resolver.ts'
import { SECRET_FIELDS } from '../../documents/secret-fields.ts'

/** Puts the references to secrets from the models into an exported document, if both describe the same record. */
export function keepSecretReferences(exported: JsonObject, directory: string, cwd: string): JsonObject {
  const models = loadDocument(filesOf(directory, cwd), NO_REFERENCES, { secretFields: SECRET_FIELDS }).document
  const kept: { [type: string]: Json } = { ...exported }
  for (const [type, field] of SECRET_FIELDS) {
    const references = referencesByKey(models[type] ?? [], type, field)
    const records = exported[type]
    if (references.size > 0 && Array.isArray(records)) {
      kept[type] = (records as readonly JsonObject[]).map((record) => {
        const reference = references.get(keyOf(recordType(type), record))
        // If the models have something else, a plan of the export would replace the secret that the platform has
        // generated.
        return reference === undefined || record[field] === GENERATED ? record : { ...record, [field]: reference }
      })
    }
  }
  return kept
}

function referencesByKey(
  records: readonly Json[],
  type: Parameters<typeof recordType>[0],
  field: string,
): ReadonlyMap<string, string> {
  const references = new Map<string, string>()
  for (const record of records) {
    if (!isObject(record)) continue
    const secret = record[field]
    if (typeof secret === 'string' && isUnresolvedReference(secret))
      references.set(keyOf(recordType(type), record), secret)
  }
  return references
}

/** The files of the models; none if there are no models yet. */
function filesOf(directory: string, cwd: string): readonly SourceFile[] {
  try {
    return readModels(directory, cwd).files
  } catch (error) {
    if (error instanceof NoDirectoryError) return []
    throw error
  }
}
