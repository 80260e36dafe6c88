import { compile } from 'json-schema-to-typescript'
import { referenceName } from '../records/json-schema.ts'
import type { Emitter } from './emitter.ts'
import { IMPORT_DOCUMENT_SCHEMA } from './schemas.ts'

export const importDocumentTypes: Emitter = { path: 'generated/import-document.ts', emit }

const BANNER = '// Generated from schemas/import-document.schema.json by "npm run types". Do not edit.'

/** The compiler's remark on every definition; the banner says where the types come from. */
const ORIGIN_NOTE = /(\n \*)?\n \* This interface was referenced by .+\n \* via the `definition` .+/g

async function emit(): Promise<string> {
  const schema = nameReferences(IMPORT_DOCUMENT_SCHEMA) as Parameters<typeof compile>[0]
  const text = await compile(schema, 'ImportDocument', {
    bannerComment: BANNER,
    additionalProperties: false,
    unreachableDefinitions: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
  })
  return text.replaceAll(ORIGIN_NOTE, '')
}

/**
 * Replaces each `$ref` by the name of its type. Left to the compiler, a `$ref` with a description beside it
 * becomes a copy of the type with a number behind its name (`Status1`).
 */
function nameReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(nameReferences)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...rest } = node as { $ref?: string }
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, nameReferences(value)]))
  return $ref === undefined ? copy : { ...copy, tsType: referenceName({ $ref }) }
}
