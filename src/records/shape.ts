import entitiesSchema from '../../schemas/entities.schema.json' with { type: 'json' }
import documentSchema from '../../schemas/import-document.schema.json' with { type: 'json' }
import settingsSchema from '../../schemas/settings.schema.json' with { type: 'json' }
import type { Json } from '../lib/json.ts'
import { referenceName, type InputNote } from './json-schema.ts'
import type { RecordType } from './record-type.ts'

// The fields of a record according to the JSON Schema, which is read once.

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
  /** The members of a closed set, each with its meaning; or keys, if an object must have exactly one of these keys. */
  readonly oneOf?: readonly {
    readonly const?: string
    readonly description?: string
    readonly required?: readonly string[]
  }[]
  /** Whether clients give the value, but never read it. */
  readonly writeOnly?: boolean
  readonly precision?: string
  /** The definition of the object that the value names. */
  readonly names?: string
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
  /** Undefined if the specification has no default. If such a field is omitted, it keeps its value. */
  readonly defaultValue: Json | undefined
}

/** The definitions of the import document, of grants, and of entities. */
const DEFINITIONS: { readonly [name: string]: SchemaNode } = {
  ...settingsSchema.$defs,
  ...documentSchema.$defs,
  ...entitiesSchema.$defs,
}

/** The definition that a node stands for and, if the node refers to it, its name. */
export function resolveNode(node: SchemaNode): { node: SchemaNode; name: string | null } {
  const name = referenceName(node)
  return name === undefined ? { node, name: null } : { node: definition(name), name }
}

/** The node without null. For an `anyOf` with null, it is the other member. */
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

/** The members of a closed set. */
export function closedMembers({ enum: values = [], oneOf = [] }: SchemaNode) {
  return [
    ...values.map((value) => ({ value, description: null })),
    ...oneOf.flatMap(({ const: value, description = null }) => (value === undefined ? [] : [{ value, description }])),
  ]
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

/** A field that clients give. */
export type Given<Known extends Field> = Known & { readonly givenAs: string }

/** The fields that clients may give to create or change an entity. */
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

/** The fields in a record's stored body: without its secret, and without lists that are separate records. */
export function storedFields(type: RecordType): readonly Field[] {
  const elsewhere = new Set([type.secret, type.tree?.root, ...(type.embedded ?? []).map(({ field }) => field)])
  return fieldsOf(type.definition).filter(({ name }) => !elsewhere.has(name))
}

export function hasField(type: RecordType, name: string): boolean {
  return fieldsOf(type.definition).some((field) => field.name === name)
}
