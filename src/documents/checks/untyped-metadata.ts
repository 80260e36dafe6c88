import type { Diagnostic } from '../../lib/diagnostic.ts'
import { recordType } from '../../records/registry.ts'
import { documentOf, type Parts } from '../read/merge.ts'
import { metadataTypesOf, NO_METADATA_RULES } from './metadata-rules.ts'
import type { RewrittenMetadata } from '../read/rewritten-numbers.ts'

/** Keeps the findings about metadata for which the document has no MetadataType. */
export function untypedFindings(rewritten: readonly RewrittenMetadata[], parts: Parts): Diagnostic[] {
  if (rewritten.length === 0) return []
  const ruling = [...parts].filter(([type]) => recordType(type).metadataRule !== undefined)
  const { dataTypes } = metadataTypesOf(documentOf(new Map(ruling)), NO_METADATA_RULES)
  return rewritten.filter(({ entity, key }) => dataTypes(entity, key) === undefined).map(({ diagnostic }) => diagnostic)
}
