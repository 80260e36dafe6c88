import { compile } from 'json-schema-to-typescript'
import { referenceName, type JsonSchema } from '../records/json-schema.ts'
import type { Emitter } from './emitter.ts'
import { entityShapes } from './entity-shapes.ts'
import { ENTITIES_SCHEMA, IMPORT_DOCUMENT_SCHEMA, PLAN_SCHEMA, SETTINGS_SCHEMA } from './schemas.ts'

export const importDocumentTypes = typesOf('import-document', 'ImportDocument', IMPORT_DOCUMENT_SCHEMA)
export const settingsTypes = typesOf('settings', 'HoldfastSettings', SETTINGS_SCHEMA)
export const planTypes = typesOf('plan', 'PublishedPlan', PLAN_SCHEMA)
export const entityTypes = typesOf('entities', 'Entities', entityShapes(ENTITIES_SCHEMA), withReadonlyLists)

/** The compiler's remark on every definition; the banner says where the types come from. */
const ORIGIN_NOTE = /(\n \*)?\n \* This interface was referenced by .+\n \* via the `definition` .+/g

type Finish = (text: string) => string

function typesOf(file: string, name: string, schema: JsonSchema, finish: Finish = (text) => text): Emitter {
  return { path: `generated/${file}.ts`, emit: async () => finish(await emit(file, name, schema)) }
}

/** The compiler has no option for it. */
function withReadonlyLists(text: string): string {
  return text.replaceAll(/(?<=: )(?=\w+\[\])/g, 'readonly ')
}

async function emit(file: string, name: string, schema: JsonSchema): Promise<string> {
  const text = await compile(nameReferences(schema) as Parameters<typeof compile>[0], name, {
    bannerComment: [
      `// Generated from schemas/${file}.schema.json by "npm run types". Do not edit.`,
      ...importsOf(schema),
    ].join('\n'),
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

/** The types of definitions in other schemas. */
function importsOf(schema: JsonSchema): string[] {
  const references = JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)\.schema\.json#\/\$defs\/(\w+)"/g)
  const byFile = Map.groupBy(references, ([, file]) => file)
  return [...byFile].map(([file, found]) => {
    const names = [...new Set(found.map(([, , name]) => name))].sort()
    return `import type { ${names.join(', ')} } from './${file}.ts'`
  })
}
