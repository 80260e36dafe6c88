import {
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql'
import { SCHEMA } from '../../src/server/graphql/schema.ts'

type Root = 'query' | 'mutation' | 'subscription'

/** A call of a field with the fewest arguments that the schema accepts, and one leaf of its answer. */
export function smallestCall(root: Root, field: GraphQLField<unknown, unknown>): string {
  return callWith(root, field, membersOf(field.args))
}

/** Calls of a field, each with another of its texts and lists of texts, and otherwise with the fewest arguments. */
export function callsWithText(root: Root, field: GraphQLField<unknown, unknown>, text: string): string[] {
  return withEachText(field.args, JSON.stringify(text)).map((args) => callWith(root, field, args))
}

function callWith(root: Root, field: GraphQLField<unknown, unknown>, args: Members): string {
  const given = textOf(args)
  return `${root} { ${field.name}${given && `(${given})`} ${selectionOf(field)} }`
}

type Inputs = readonly { readonly name: string; readonly type: GraphQLInputType; readonly defaultValue?: unknown }[]

/** The written values by their names. */
type Members = ReadonlyMap<string, string>

function textOf(members: Members): string {
  return [...members].map(([name, value]) => `${name}: ${value}`).join(', ')
}

/** The fewest members that the schema accepts. */
function membersOf(inputs: Inputs): Members {
  const required = inputs.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
  return new Map(required.map(({ name, type }) => [name, sample(type)]))
}

/** An input that contains itself is not entered again. */
function withEachText(inputs: Inputs, text: string, above: readonly GraphQLInputType[] = []): Members[] {
  return inputs.flatMap(({ name, type }) =>
    valuesWithText(type, text, above).map((value) => new Map(membersOf(inputs)).set(name, value)),
  )
}

function valuesWithText(type: GraphQLInputType, text: string, above: readonly GraphQLInputType[]): string[] {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return valuesWithText(nullable.ofType, text, above).map((value) => `[${value}]`)
  if (isEnumType(nullable)) return []
  if (!isInputObjectType(nullable)) return nullable.name in SAMPLES && nullable.name !== 'ID' ? [] : [text]
  if (above.includes(nullable)) return []
  const members = withEachText(Object.values(nullable.getFields()), text, [...above, nullable])
  return members.map((one) => `{ ${textOf(one)} }`)
}

function sample(type: GraphQLInputType): string {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return '[]'
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name ?? ''
  if (!isInputObjectType(nullable)) return SAMPLES[nullable.name] ?? '"sample"'
  return `{ ${textOf(membersOf(Object.values(nullable.getFields())))} }`
}

const SAMPLES: { readonly [scalar: string]: string } = {
  Boolean: 'false',
  Int: '1',
  Float: '1.5',
  JSON: '{}',
  ID: '"00000000-0000-4000-8000-000000000000"',
}

function selectionOf({ type }: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(type)
  if (isLeafType(named)) return ''
  const leaf = Object.values((named as GraphQLObjectType).getFields()).find(({ type: of }) =>
    isLeafType(getNamedType(of)),
  )
  return leaf === undefined ? '{ __typename }' : `{ ${leaf.name} }`
}

export interface SampleCall {
  readonly name: string
  readonly right: unknown
  readonly query: string
}

/** Of every operation of the schema. */
export function sampleCalls(): SampleCall[] {
  const roots = [
    ['query', SCHEMA.getQueryType()],
    ['mutation', SCHEMA.getMutationType()],
    ['subscription', SCHEMA.getSubscriptionType()],
  ] as const
  return roots.flatMap(([root, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({
      name: field.name,
      right: field.extensions['right'],
      query: smallestCall(root, field as GraphQLField<unknown, unknown>),
    })),
  )
}
