import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type {
  GraphQLInputFieldConfig,
  GraphQLInputType,
  GraphQLNullableType,
  GraphQLOutputType,
  GraphQLScalarType,
} from 'graphql'
import { isObject } from '../lib/json.ts'
import { fieldsOf, resolveNode, type Field, type SchemaNode } from '../records/shape.ts'
import { INTEGER, JSON_VALUE } from './scalars.ts'

// The GraphQL types of the values in a record, made from the import document's JSON Schema. A name stands for one type in
// a GraphQL schema, so each is made once.

const SCALARS: { readonly [type: string]: GraphQLScalarType } = {
  string: GraphQLString,
  boolean: GraphQLBoolean,
  number: GraphQLFloat,
  integer: INTEGER,
}

const enums = new Map<string, GraphQLEnumType>()
const objects = new Map<string, GraphQLObjectType>()
const inputs = new Map<string, GraphQLInputObjectType>()

/** The type of a field in an answer. */
export function outputType(field: Field): GraphQLOutputType {
  const type = outputOf(field.node)
  const isNeverNull = !allowsNull(field.node) && (field.required || field.defaultValue !== undefined)
  return isNeverNull ? new GraphQLNonNull(type) : type
}

/** The type of a field that is written; `required` where leaving it out is an error. */
export function inputField(field: Field, required: boolean): GraphQLInputFieldConfig {
  const type = inputOf(field.node)
  return {
    type: required && !allowsNull(field.node) ? new GraphQLNonNull(type) : type,
    description: descriptionOf(field.node),
  }
}

export function descriptionOf(node: SchemaNode): string | null {
  return node.description ?? resolveNode(node).node.description ?? null
}

function allowsNull(schema: SchemaNode): boolean {
  const { node } = resolveNode(schema)
  return [node.type ?? []].flat().includes('null') || (node.anyOf ?? []).some(allowsNull)
}

function outputOf(schema: SchemaNode): GraphQLOutputType & GraphQLNullableType {
  const { node, name } = notNull(schema)
  if (node.items !== undefined) return new GraphQLList(new GraphQLNonNull(outputOf(node.items)))
  if (name !== null && node.properties !== undefined) return objectType(name)
  return leafType(node, name)
}

function inputOf(schema: SchemaNode): GraphQLInputType & GraphQLNullableType {
  const { node, name } = notNull(schema)
  if (node.items !== undefined) return new GraphQLList(new GraphQLNonNull(inputOf(node.items)))
  if (name !== null && node.properties !== undefined) return inputType(name)
  return leafType(node, name)
}

/** Every GraphQL type can be null, so of `anyOf` one thing or null only the thing counts. */
function notNull(schema: SchemaNode): { node: SchemaNode; name: string | null } {
  const resolved = resolveNode(schema)
  const others = (resolved.node.anyOf ?? []).filter(({ type }) => type !== 'null')
  return others.length === 1 && others[0] !== undefined ? notNull(others[0]) : resolved
}

/** A value that may be of several types has no GraphQL type of its own. */
function leafType(node: SchemaNode, name: string | null): GraphQLScalarType | GraphQLEnumType {
  if (name !== null && node.enum !== undefined) return enumType(name)
  const types = [node.type ?? []].flat().filter((type) => type !== 'null')
  return (types.length === 1 ? SCALARS[types[0] ?? ''] : undefined) ?? JSON_VALUE
}

export function enumType(name: string): GraphQLEnumType {
  return once(enums, name, () => {
    const { node } = resolveNode({ $ref: `#/$defs/${name}` })
    const values = Object.fromEntries((node.enum ?? []).map((value) => [value, { value }]))
    return new GraphQLEnumType({ name, description: node.description ?? null, values })
  })
}

function objectType(name: string): GraphQLObjectType {
  return once(objects, name, () => {
    const fields = () =>
      Object.fromEntries(
        fieldsOf(name).map((field) => [
          field.name,
          { type: outputType(field), description: descriptionOf(field.node), resolve: memberOf(field) },
        ]),
      )
    return new GraphQLObjectType({
      name,
      description: resolveNode({ $ref: `#/$defs/${name}` }).node.description ?? null,
      fields,
    })
  })
}

function inputType(name: string): GraphQLInputObjectType {
  return once(inputs, name, () => {
    const fields = () =>
      Object.fromEntries(fieldsOf(name).map((field) => [field.name, inputField(field, field.required)]))
    return new GraphQLInputObjectType({
      name: `${name}Input`,
      description: resolveNode({ $ref: `#/$defs/${name}` }).node.description ?? null,
      fields,
    })
  })
}

/** In the canonical form a field that is null, or an empty list, does not appear. */
function memberOf({ name, defaultValue }: Field) {
  return (source: unknown) => (isObject(source) ? source[name] : undefined) ?? defaultValue ?? null
}

function once<T>(made: Map<string, T>, name: string, make: () => T): T {
  const known = made.get(name)
  if (known !== undefined) return known
  const type = make()
  made.set(name, type)
  return type
}
