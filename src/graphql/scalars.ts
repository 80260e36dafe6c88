import {
  GraphQLError,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
  Kind,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import type { FloatValueNode, GraphQLNullableType, IntValueNode } from 'graphql'
import { isExact } from '../documents/read/exact-number.ts'

/** Passed through as it is: an import document of many megabytes is neither walked nor copied here. */
export const JSON_VALUE = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any value that JSON can hold.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => {
    visit(node, { IntValue: refuseInexact, FloatValue: refuseInexact })
    return valueFromASTUntyped(node, variables)
  },
})

function refuseInexact(node: IntValueNode | FloatValueNode): void {
  if (isExact(node.value)) return
  const shown = node.value.slice(0, 40)
  throw new GraphQLError(
    `the number ${shown} cannot be kept exactly; write fewer digits, or a string where one is allowed`,
    {
      nodes: node,
    },
  )
}

export const DATE_TIME = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'A moment as RFC 3339 says it, in UTC, e.g. `2026-01-02T03:04:05.000Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
})

/** GraphQL's own Int ends at 32 bits; the import document knows no such end. */
export const INTEGER = new GraphQLScalarType<number, number>({
  name: 'Integer',
  description: 'A whole number between -(2^53 - 1) and 2^53 - 1.',
  serialize: toInteger,
  parseValue: toInteger,
  parseLiteral: (node) => {
    if (node.kind === Kind.INT) return toInteger(Number(node.value))
    throw new GraphQLError('Integer must be a whole number, without quotes', { nodes: node })
  },
})

function toInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new GraphQLError('Integer must be a whole number between -(2^53 - 1) and 2^53 - 1')
}

// What nearly every type has.
export const UUID = new GraphQLNonNull(GraphQLID)
export const TEXT = new GraphQLNonNull(GraphQLString)
export const TIME = new GraphQLNonNull(DATE_TIME)
export const UUIDS = new GraphQLList(UUID)
export const TEXTS = new GraphQLList(TEXT)

export const required = <Type extends GraphQLNullableType>(type: Type) => new GraphQLNonNull(type)
export const listOf = <Type extends GraphQLNullableType>(type: Type) => required(new GraphQLList(required(type)))
