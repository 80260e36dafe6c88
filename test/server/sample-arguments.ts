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

/** A call of a field with the fewest arguments that the schema accepts, and one leaf of its answer. */
export function smallestCall(
  root: 'query' | 'mutation' | 'subscription',
  field: GraphQLField<unknown, unknown>,
): string {
  const given = field.args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
  const args = given.map(({ name, type }) => `${name}: ${sample(type)}`).join(', ')
  return `${root} { ${field.name}${args && `(${args})`} ${selectionOf(field)} }`
}

function sample(type: GraphQLInputType): string {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return '[]'
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name ?? ''
  if (!isInputObjectType(nullable)) return SAMPLES[nullable.name] ?? '"sample"'
  const required = Object.values(nullable.getFields()).filter(
    ({ type: of, defaultValue }) => isNonNullType(of) && defaultValue === undefined,
  )
  return `{ ${required.map(({ name, type: of }) => `${name}: ${sample(of)}`).join(', ')} }`
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
