import entitiesSchema from '../../schemas/entities.schema.json' with { type: 'json' }
import documentSchema from '../../schemas/import-document.schema.json' with { type: 'json' }
import settingsSchema from '../../schemas/settings.schema.json' with { type: 'json' }
import type { Json } from '../lib/json.ts'
import { referenceName, type InputNote } from './json-schema.ts'
import type { RecordType } from './record-type.ts'

// This is what the JSON Schema says about the fields of a record, read once from the schema itself.

export interface SchemaNode {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly default?: Json
  readonly description?: string
  readonly examples?: readonly Json[]
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: SchemaNode
  readonly properties?: { readonly [name: string]: SchemaNode }
  readonly required?: readonly string[]
  readonly anyOf?: readonly SchemaNode[]
  /** The members of a closed set that have a meaning each. */
  readonly oneOf?: readonly { readonly const: string; readonly description?: string }[]
  /** Only given, and never shown. */
  readonly writeOnly?: boolean
  readonly precision?: string
  readonly create?: InputNote
  readonly patch?: InputNote
  readonly rest?: Pick<InputNote, 'description'>
}

export interface Field {
  readonly name: string
  readonly node: SchemaNode
  readonly required: boolean
  readonly nullable: boolean
  readonly isArray: boolean
  /** Undefined if the specification gives no default, so that a field that is left out keeps its value. */
  readonly defaultValue: Json | undefined
}

/** The definitions of the import document, of the grants beside it, and of what is made under the data model. */
const DEFINITIONS: { readonly [name: string]: SchemaNode } = {
  ...settingsSchema.$defs,
  ...documentSchema.$defs,
  ...entitiesSchema.$defs,
}

/** The definition that a node stands for, with its name where the node refers to one. */
export function resolveNode(node: SchemaNode): { node: SchemaNode; name: string | null } {
  const name = referenceName(node)
  return name === undefined ? { node, name: null } : { node: definition(name), name }
}

/** The node without null: of an `anyOf` with null, the other member. */
export function resolveNotNull(schema: SchemaNode): { node: SchemaNode; name: string | null } {
  const resolved = resolveNode(schema)
  const others = (resolved.node.anyOf ?? []).filter(({ type }) => type !== 'null')
  return others.length === 1 && others[0] !== undefined ? resolveNotNull(others[0]) : resolved
}

export function definition(name: string): SchemaNode {
  const node = DEFINITIONS[name]
  if (node === undefined) throw new Error(`no JSON Schema defines ${name}`)
  return node
}

const cache = new Map<string, readonly Field[]>()

/** The fields of a definition, sorted by name as in the canonical form. */
export function fieldsOf(name: string): readonly Field[] {
  const known = cache.get(name)
  if (known !== undefined) return known
  const { properties = {}, required = [] } = definition(name)
  const fields = Object.keys(properties)
    .sort()
    .map((field) => toField(field, properties[field] ?? {}, required.includes(field)))
  cache.set(name, fields)
  return fields
}

/** The same fields in the order of the specification, as people write them. */
export function fieldsInOrder(name: string): readonly Field[] {
  const order = Object.keys(definition(name).properties ?? {})
  return fieldsOf(name).toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
}

/** A field as it is given by clients. */
export type Given<Known extends Field> = Known & { readonly givenAs: string }

/** The fields that clients may give with a new entity, or to change one, by their notes. */
export function givenAmong<Known extends Field>(fields: readonly Known[], when: 'create' | 'patch'): Given<Known>[] {
  return fields.flatMap((field) => {
    const note = field.node[when]
    if (note === undefined) return []
    const description = note.description ?? field.node.create?.description
    const node = { ...field.node, ...(description !== undefined && { description }) }
    return [{ ...field, node, required: note.required === true, givenAs: note.name ?? field.name }]
  })
}

function toField(name: string, node: SchemaNode, required: boolean): Field {
  const { node: resolved } = resolveNode(node)
  const types = [resolved.type ?? []].flat()
  const nullable = types.includes('null') || (resolved.anyOf ?? []).some(({ type }) => type === 'null')
  return {
    name,
    node,
    required,
    nullable,
    isArray: types.includes('array'),
    defaultValue: node.default ?? resolved.default,
  }
}

/** The fields in a record's stored body: without its secret, and without lists that are records of their own. */
export function storedFields(type: RecordType): readonly Field[] {
  const elsewhere = new Set([type.secret, type.tree?.root, ...(type.embedded ?? []).map(({ field }) => field)])
  return fieldsOf(type.definition).filter(({ name }) => !elsewhere.has(name))
}

export function hasField(type: RecordType, name: string): boolean {
  return fieldsOf(type.definition).some((field) => field.name === name)
}
