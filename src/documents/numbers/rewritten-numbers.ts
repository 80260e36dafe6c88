import type { Diagnostic } from '../../lib/diagnostic.ts'
import { isObject } from '../../lib/json.ts'
import { valueAt } from '../../records/json-schema.ts'
import { isDocumentTypeName } from '../../records/record-type.ts'
import { recordType } from '../../records/registry.ts'
import { positionsIn } from '../checks/finding.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import type { WrittenNumber } from './written-numbers.ts'

// Metadata without a MetadataType gets its type from its spelling, so `007` and `1.10` become the numbers 7 and 1.1. A
// warning tells the author, who may mean an identifier or a version.

/** A number in metadata that would be stored differently, and a warning if no MetadataType defines its type. */
export interface RewrittenMetadata {
  readonly entity: string
  readonly key: string
  readonly diagnostic: Diagnostic
}

/** Tells whether a metadata value would be shown in another spelling than the written one. */
export function isRewritten(literal: string, value: number, path: readonly string[]): boolean {
  return path.at(-1) === 'value' && path.at(-3) === METADATA_FIELD && String(value) !== literal
}

const ODD_VALUE = /"value"\s*:\s*-?(?:\d+\.\d*0(?!\d)|\d+(?:\.\d+)?[eE]|0(?![.\d]))/

/** Tells whether a JSON text may contain such numbers, so that it needs an inspection. */
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
    // The path has two more steps for each level of a tree.
    const entity = recordType(type).metadataEntity?.((path.length - 5) / 2) ?? ''
    const message = messageOf(item['key'], literal, item['value'])
    const found = { severity: 'warning', code: 'metadata-rewritten', message, pointer: '' } as const
    return [{ entity, key: item['key'], diagnostic: { ...found, file: file.path, ...positionAt(offset) } }]
  })
}

function messageOf(key: string, literal: string, kept: unknown): string {
  const typed = `{ ${Number.isInteger(kept) ? 'integer' : 'float'}: ${String(kept)} }`
  return `metadata ${JSON.stringify(key)} is kept as the number ${String(kept)}; put it in quotes to keep ${literal}, or write ${typed} if you mean the number.`
}
