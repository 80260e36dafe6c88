import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type {
  GraphQLEnumType,
  GraphQLFieldConfigMap,
  GraphQLInputType,
  GraphQLNullableType,
  GraphQLOutputType,
  GraphQLScalarType,
} from 'graphql'
import type { EntityParts } from '../../../generated/entities.ts'
import type { ClosedSets } from '../../../generated/closed-sets.ts'
import { namingsAmong } from '../../records/edges.ts'
import { isObject, type Json } from '../../lib/json.ts'
import {
  closedMembers,
  definition,
  fieldsInOrder,
  fieldsOf,
  givenAmong,
  resolveNode,
  resolveNotNull,
  type Field,
  type SchemaNode,
} from '../../records/shape.ts'
import { DATE_TIME, DURATION, INTEGER, JSON_VALUE } from './scalars.ts'
import { withEdges } from './edges/to-one.ts'
import { meaningsOf, type Meanings } from './meanings.ts'
import { enumOf, list, nonNull, type InputField, type Valued } from './typed.ts'

// GraphQL types of the values in a record, made from the JSON Schema of the import document. Each is made only once,
// because a GraphQL schema allows one type for each name.

const SCALARS: { readonly [type: string]: GraphQLScalarType } = {
  string: GraphQLString,
  boolean: GraphQLBoolean,
  number: GraphQLFloat,
  integer: INTEGER,
}

/** GraphQL types for texts of certain formats. */
const FORMATS: { readonly [format: string]: GraphQLScalarType } = {
  uuid: GraphQLID,
  'date-time': DATE_TIME,
  duration: DURATION,
}

const enums = new Map<string, GraphQLEnumType>()
const objects = new Map<string, GraphQLObjectType>()
const inputs = new Map<string, GraphQLInputObjectType>()

/** The type of a field in an answer. */
export function outputType(field: Field): GraphQLOutputType {
  const type = outputOf(field.node)
  return isNeverNull(field) ? nonNull(type) : type
}

function isNeverNull({ node, required, defaultValue }: Field): boolean {
  return !allowsNull(node) && (required || defaultValue !== undefined)
}

/** Describes a field of an answer. It says "null" instead of "Left out", as an answer leaves no field out. */
export function outputDescription(field: Field): string | null {
  const written = descriptionOf(field.node)
  return (
    written?.replace(LEFT_OUT, (_, meaning?: string) =>
      meaning === undefined || isNeverNull(field) ? '' : ` null: ${meaning}`,
    ) ?? null
  )
}

/** The part of a description that explains a missing value. After "stays as it is", null needs no explanation. */
const LEFT_OUT = / Left out: (?:stays as it is.*|(?:null, )?(.*))$/s

/** Returns the fields of a definition for answers. */
export function outputFields(name: string): GraphQLFieldConfigMap<unknown, unknown> {
  const shown = fieldsOf(name).filter(({ node }) => node.writeOnly !== true)
  const fields = shown.map((field) => [
    field.name,
    { type: outputType(field), description: outputDescription(field), resolve: memberOf(field) },
  ])
  return Object.fromEntries(fields)
}

/** Returns the type of a field in an input. `required` means that it is an error to leave the field out. */
export function inputField(field: Field, required: boolean): InputField<Json> {
  const type = inputOf(field.node)
  return {
    type: required && !allowsNull(field.node) ? nonNull(type) : type,
    description: descriptionOf(field.node),
  }
}

export interface WrittenFields {
  readonly [name: string]: InputField<Json>
}

interface Writing {
  /** Selects the fields; left out: all fields. */
  readonly only?: (field: Field) => boolean
  /** Selects the fields that are required; left out: those that the definition requires. */
  readonly required?: (field: Field) => boolean
}

/** Returns the fields of a definition for inputs. */
export function inputFields(name: string, { only = () => true, required = isRequired }: Writing = {}): WrittenFields {
  const fields = fieldsOf(name).filter(only)
  return Object.fromEntries(fields.map((field) => [field.name, inputField(field, required(field))]))
}

function isRequired({ required }: Field): boolean {
  return required
}

function descriptionOf(node: SchemaNode): string | null {
  return node.description ?? resolveNode(node).node.description ?? null
}

function allowsNull(schema: SchemaNode): boolean {
  const { node } = resolveNode(schema)
  return [node.type ?? []].flat().includes('null') || (node.anyOf ?? []).some(allowsNull)
}

function outputOf(schema: SchemaNode): GraphQLOutputType & GraphQLNullableType {
  const { node, name } = resolveNotNull(schema)
  if (node.items !== undefined) return list(outputOf(node.items))
  if (name !== null && node.properties !== undefined) return objectType(name)
  return leafType(node, name)
}

function inputOf(schema: SchemaNode): GraphQLInputType & GraphQLNullableType {
  const { node, name } = resolveNotNull(schema)
  if (node.items !== undefined) return list(inputOf(node.items))
  if (name !== null && node.properties !== undefined) return inputType(name)
  return leafType(node, name)
}

/** Returns the scalar or enum of a value. A value of several types is JSON, because GraphQL has no type for it. */
function leafType(node: SchemaNode, name: string | null): GraphQLScalarType | GraphQLEnumType {
  if (name !== null && closedMembers(node).length > 0) return enumNamed(name)
  const types = [node.type ?? []].flat().filter((type) => type !== 'null')
  const [type = '', ...others] = types
  return (others.length === 0 ? (FORMATS[node.format ?? ''] ?? SCALARS[type]) : undefined) ?? JSON_VALUE
}

/** Returns the enum type of a closed set that a JSON Schema defines. */
export function enumType<Name extends keyof ClosedSets>(name: Name): GraphQLEnumType & Valued<ClosedSets[Name]> {
  return enumNamed(name)
}

function enumNamed(name: string): GraphQLEnumType {
  return once(enums, name, () => {
    const { description, members } = meaningsOf(name) ?? described(definition(name))
    return enumOf(name, description, members)
  })
}

/** Describes a closed set and, if the schema explains them, its members. */
function described(node: SchemaNode): Meanings {
  const members = closedMembers(node).map(({ value, description }) => [value, description])
  return { description: node.description ?? '', members: Object.fromEntries(members) }
}

function objectType(name: string): GraphQLObjectType {
  return once(objects, name, () => {
    return new GraphQLObjectType({
      name,
      description: definition(name).description ?? null,
      fields: () => withEdges(outputFields(name), namingsAmong(fieldsOf(name))),
    })
  })
}

function inputType(name: string): GraphQLInputObjectType {
  return once(inputs, name, () => {
    return new GraphQLInputObjectType({
      name: `${name}Input`,
      description: definition(name).create?.description ?? definition(name).description ?? null,
      fields: () => notedFields(name, 'create') ?? inputFields(name),
    })
  })
}

/** Returns the fields that have a note about being given; null if there are none. */
function notedFields(name: string, when: 'create' | 'patch'): WrittenFields | null {
  const fields = givenAmong(fieldsInOrder(name), when).map((field) => [
    field.givenAs,
    inputField(field, field.required),
  ])
  return fields.length === 0 ? null : Object.fromEntries(fields)
}

type Part<Name extends keyof EntityParts, Form extends string> = EntityParts[Name] extends {
  readonly [form in Form]: infer Value
}
  ? Readonly<Value>
  : never

/** The object type of a part of an entity. */
export function partType<Name extends keyof EntityParts>(name: Name): GraphQLObjectType<Part<Name, 'entity'>> {
  return objectType(name)
}

/** The input of a part of an entity. */
export function partInput<Name extends keyof EntityParts>(
  name: Name,
): GraphQLInputObjectType & Valued<Part<Name, 'created'>> {
  return inputType(name)
}

/** Returns the input that changes a part of an entity. */
export function partPatch<Name extends keyof EntityParts>(
  name: Name,
): GraphQLInputObjectType & Valued<Part<Name, 'patch'>> {
  const description = definition(name).patch?.description ?? null
  return new GraphQLInputObjectType({ name: `${name}Patch`, description, fields: notedFields(name, 'patch') ?? {} })
}

/** Resolves a field. The canonical form leaves out fields that are null or empty lists. */
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

export const STATUS = enumType('Status')
export const DATA_TYPE = enumType('DataType')
export const EVENT_LEVEL = enumType('EventLevel')
