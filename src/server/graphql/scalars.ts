import { GraphQLError, GraphQLID, GraphQLScalarType, GraphQLString, Kind, valueFromASTUntyped, visit } from 'graphql'
import type { FloatValueNode, IntValueNode } from 'graphql'
import { isExact } from '../../lib/exact-number.ts'
import type { Json } from '../../lib/json.ts'
import { list, nonNull } from './typed.ts'

/** Passes values through unchanged, because checking or copying an import document of many megabytes would be slow. */
export const JSON_VALUE = new GraphQLScalarType<Json, unknown>({
  name: 'JSON',
  description: 'Any value that JSON can hold.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: (value) => value,
  // The variables of a request are results of JSON.parse.
  parseValue: (value) => value as Json,
  parseLiteral: (node, variables) => {
    visit(node, { IntValue: refuseInexact, FloatValue: refuseInexact })
    return valueFromASTUntyped(node, variables) as Json
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

export const DATE_TIME = textScalar(
  'DateTime',
  'A time in the format of RFC 3339, such as `2026-01-02T03:04:05.000Z`. Answers are in UTC; inputs may have another offset.',
  'https://www.rfc-editor.org/rfc/rfc3339',
)

export const DURATION = textScalar(
  'Duration',
  'A duration in the format of ISO 8601, such as `PT15M` or `P1D`.',
  'https://www.rfc-editor.org/rfc/rfc3339#appendix-A',
)

/** Makes a scalar for texts of one format. The platform reads the text, and its errors name the argument. */
function textScalar(name: string, description: string, specifiedByURL: string): GraphQLScalarType<string, string> {
  const wrong = `${name} must be a text in quotes`
  return new GraphQLScalarType<string, string>({
    name,
    description,
    specifiedByURL,
    serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
    parseValue(value) {
      if (typeof value === 'string') return value
      throw new GraphQLError(wrong)
    },
    parseLiteral(node) {
      if (node.kind === Kind.STRING) return node.value
      throw new GraphQLError(wrong, { nodes: node })
    },
  })
}

/** GraphQL's own Int has 32 bits. The import document has no such limit. */
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

export const UUID = nonNull(GraphQLID)
export const TEXT = nonNull(GraphQLString)
export const TIME = nonNull(DATE_TIME)
export const UUIDS = list(GraphQLID)
export const TEXTS = list(GraphQLString)
