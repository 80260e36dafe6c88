import { compile } from 'json-schema-to-typescript'
import { isObject } from '../lib/json.ts'
import { hasOneKey, referenceName, type JsonSchema } from '../records/json-schema.ts'
import type { Emitter } from './emitter.ts'
import { answerShapes, entityShapes } from './entity-shapes.ts'
import { ENTITIES_SCHEMA, IMPORT_DOCUMENT_SCHEMA, PLAN_SCHEMA, SETTINGS_SCHEMA } from './schemas.ts'

export const importDocumentTypes = typesOf('import-document', 'ImportDocument', IMPORT_DOCUMENT_SCHEMA)
export const settingsTypes = typesOf('settings', 'HoldfastSettings', SETTINGS_SCHEMA)
export const planTypes = typesOf('plan', 'PublishedPlan', PLAN_SCHEMA)
export const entityTypes = typesOf('entities', 'Entities', entityShapes(ENTITIES_SCHEMA), withReadonlyLists)

export const answerTypes = typesOf('answers', 'Answers', answerShapes(ENTITIES_SCHEMA), withReadonlyLists, 'entities')

/** The compiler's note on every definition. It is removed, because the banner names the source of the types. */
const ORIGIN_NOTE = /(\n \*)?\n \* This interface was referenced by .+\n \* via the `definition` .+/g

/** The members that a schema leaves open. They are typed as JSON, because they are part of a JSON document. */
const OPEN = '[k: string]: unknown'

type Finish = (text: string) => string

function typesOf(file: string, name: string, schema: JsonSchema, finish: Finish = String, source = file): Emitter {
  return { path: `generated/${file}.ts`, emit: async () => finish(await emit(source, name, schema)) }
}

/** Makes all lists readonly, because the compiler has no option for it. */
function withReadonlyLists(text: string): string {
  return text.replaceAll(/(?<=: )(?=\w+\[\])/g, 'readonly ')
}

async function emit(file: string, name: string, schema: JsonSchema): Promise<string> {
  const text = await compile(nameTypes(schema) as Parameters<typeof compile>[0], name, {
    bannerComment: '',
    additionalProperties: false,
    unreachableDefinitions: true,
    style: { semi: false, singleQuote: true, printWidth: 120 },
  })
  const types = text.replaceAll(ORIGIN_NOTE, '').replaceAll(OPEN, '[k: string]: Json').trimStart()
  const banner = [
    `// Generated from schemas/${file}.schema.json by "npm run types". Do not edit.`,
    ...importsOf(schema),
    ...(/: Json\b/.test(types) ? [importOf('../src/lib/json.ts', ['Json'])] : []),
  ]
  return `${banner.join('\n')}\n\n${types}`
}

/**
 * Names types that the compiler does not find by itself. If a `$ref` has a description, the compiler would make a
 * numbered copy (`Status1`). Digests and values of any JSON type also need names.
 */
function nameTypes(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(nameTypes)
  if (!isObject(node)) return node
  if (hasOneKey(node)) return nameTypes(asUnion(node))
  const { $ref, ...rest } = node
  const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, nameTypes(value)]))
  if (typeof $ref === 'string') return { ...copy, tsType: referenceName({ $ref }) }
  if (node['pattern'] === DIGEST) return { ...copy, tsType: '`sha256:${string}`' }
  return isOpen(node) ? { ...copy, tsType: 'Json' } : copy
}

/**
 * The objects with one key each. Their other keys are `never`, because TypeScript would accept a literal with the keys of
 * several members of a union.
 */
function asUnion({ description = '', properties = {} }: JsonSchema): object {
  const never = Object.fromEntries(Object.keys(properties).map((name) => [name, { tsType: 'never' }]))
  const members = Object.entries(properties).map(([name, value]) => ({
    type: 'object',
    additionalProperties: false,
    required: [name],
    properties: { ...never, [name]: value },
  }))
  return { description, anyOf: members }
}

const DIGEST = '^sha256:[0-9a-f]{64}$'

/** Tells whether a node is a schema that only describes its value. */
function isOpen(node: { readonly [keyword: string]: unknown }): boolean {
  return typeof node['description'] === 'string' && !RESTRICTIONS.some((keyword) => keyword in node)
}

const RESTRICTIONS = ['$ref', 'tsType', 'type', 'enum', 'const', 'anyOf', 'oneOf', 'properties']

/** Returns the types that are defined in other schemas. */
function importsOf(schema: JsonSchema): string[] {
  const references = JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)\.schema\.json#\/\$defs\/(\w+)"/g)
  const byFile = Map.groupBy(references, ([, file]) => file)
  return [...byFile].map(([file, found]) => {
    const names = new Set(found.map(([, , name = '']) => name))
    return importOf(`./${file}.ts`, [...names].sort())
  })
}

export function importOf(path: string, names: readonly string[]): string {
  return `import type { ${names.join(', ')} } from '${path}'`
}
