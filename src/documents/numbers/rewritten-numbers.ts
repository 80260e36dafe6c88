import type { Diagnostic } from '../../lib/diagnostic.ts'
import { isObject } from '../../lib/json.ts'
import { valueAt } from '../../records/json-schema.ts'
import { isDocumentTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { positionsIn } from '../checks/finding.ts'
import { METADATA_FIELD } from '../checks/metadata-rules.ts'
import type { WrittenNumber } from './whole-numbers.ts'

// Metadata without a MetadataType takes its type from its spelling, so `007` and `1.10` become the numbers 7 and 1.1.
// The author, who may mean an identifier or a version, must be told.

/**
 * A number in metadata that is not stored as it is written, with the diagnostic for the case that no MetadataType
 * gives it a type.
 */
export interface RewrittenMetadata {
  readonly entity: string
  readonly key: string
  readonly diagnostic: Diagnostic
}

/** Tells whether a metadata value would be shown otherwise than it is written. */
export function isRewritten(literal: string, value: number, path: readonly string[]): boolean {
  return path.at(-1) === 'value' && path.at(-3) === METADATA_FIELD && String(value) !== literal
}

const ODD_VALUE = /"value"\s*:\s*-?(?:\d+\.\d*0(?!\d)|\d+(?:\.\d+)?[eE]|0(?![.\d]))/

/** Tells whether JSON may contain such numbers and so needs a closer look. */
export function mayBeRewritten(json: Buffer): boolean {
  return json.includes(`"${METADATA_FIELD}"`) && ODD_VALUE.test(json.toString('latin1'))
}

export function describeRewritten(
  numbers: readonly WrittenNumber[],
  documents: readonly unknown[],
  file: { readonly path: string; readonly text: string },
): RewrittenMetadata[] {
  const positionAt = numbers.length === 0 ? null : positionsIn(file.text)
  return numbers.flatMap(({ literal, offset, value: { document, path } }) => {
    const [type = ''] = path
    const item = valueAt(documents[document], path.slice(0, -1))
    if (positionAt === null || !isDocumentTypeName(type) || !isObject(item) || typeof item['key'] !== 'string')
      return []
    // The path has two more steps for each level of a tree between the record at the root and its metadata.
    const entity = recordType(type).metadataEntity?.((path.length - 5) / 2) ?? ''
    const message = messageOf(item['key'], literal, item['value'])
    const found = { severity: 'warning', code: 'metadata-rewritten', message, pointer: '' } as const
    return [{ entity, key: item['key'], diagnostic: { ...found, file: file.path, ...positionAt(offset) } }]
  })
}

function messageOf(key: string, literal: string, kept: unknown): string {
  const typed = `{ ${Number.isInteger(kept) ? 'integer' : 'float'}: ${String(kept)} }`
  return `metadata ${JSON.stringify(key)} is kept as the number ${String(kept)}; put it in quotes to keep ${literal}, or write ${typed} if the number is meant.`
}
