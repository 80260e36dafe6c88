import { isObject } from '../lib/json.ts'

/** The part of JSON Schema 2020-12 that the files in `schemas/` use. */
export interface JsonSchema {
  readonly $schema?: string
  readonly $id?: string
  readonly $ref?: string
  readonly $defs?: { readonly [name: string]: JsonSchema }
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly writeOnly?: boolean
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly properties?: { readonly [name: string]: JsonSchema }
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  /** The members of a closed set, each with its meaning; or keys, if an object must have exactly one of these keys. */
  readonly oneOf?: readonly JsonSchema[]
  readonly precision?: string
  readonly names?: string
  readonly create?: InputNote
  readonly patch?: InputNote
  readonly rest?: Pick<InputNote, 'description'>
}

/** The note in `entities.schema.json` on a field that clients may give. */
export interface InputNote {
  /** Left out if the description of the field applies. */
  readonly description?: string
  /** The name of the field in inputs; left out if it is the same. */
  readonly name?: string
  readonly required?: boolean
}

/** The definition that a node refers to, or the node itself; for `$ref`s of the same file. */
function resolveReference(node: JsonSchema, root: JsonSchema): JsonSchema {
  const name = referenceName(node)
  if (name === undefined) return node
  const definition = root.$defs?.[name]
  if (definition === undefined) throw new Error(`the JSON Schema defines no ${name}`)
  return definition
}

export function referenceName(node: JsonSchema): string | undefined {
  return node.$ref?.replace(/^.*#\/\$defs\//, '')
}

/** The alternatives of a node with their `$ref`s resolved. A node without `anyOf` is its only alternative. */
export function alternatives(node: JsonSchema, root: JsonSchema): readonly JsonSchema[] {
  const resolved = resolveReference(node, root)
  return resolved.anyOf?.flatMap((branch) => alternatives(branch, root)) ?? [resolved]
}

/**
 * The node for the value at a path: from the first alternative that contains the path; undefined if none does. The path
 * is followed because the `schemaPath` of an ajv error does not tell in which definition it begins.
 */
export function nodeAt(root: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  return descend(root, path, root)
}

function descend(node: JsonSchema, path: readonly string[], root: JsonSchema): JsonSchema | undefined {
  const [step, ...rest] = path
  if (step === undefined) return node
  for (const alternative of alternatives(node, root)) {
    const child = ownProperty(alternative.properties, step) ?? alternative.items
    const found = child && descend(child, rest, root)
    if (found) return found
  }
  return undefined
}

/** Tells whether an object has exactly one of its properties, and no other key. */
export function hasOneKey({ properties = {}, additionalProperties, oneOf = [] }: JsonSchema): boolean {
  const names = Object.keys(properties)
  const isListed = names.length > 0 && names.length === oneOf.length
  return (
    isListed && additionalProperties === false && names.every((name, index) => oneOf[index]?.required?.[0] === name)
  )
}

function ownProperty<T>(object: { readonly [name: string]: T } | undefined, name: string): T | undefined {
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined
}

/** The value at a path of a document; undefined if there is none. */
export function valueAt(document: unknown, path: readonly string[]): unknown {
  let value = document
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)]
    else if (isObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}
