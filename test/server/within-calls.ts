import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
} from 'graphql'
import { SCHEMA } from '../../src/server/graphql/schema.ts'

// Calls that try to reach what is named, by every argument of an operation that can name something.

/** What can be named: for each kind of thing its uuids or keys. */
export interface Names {
  readonly uuids: readonly string[]
  readonly keys: readonly string[]
}

export interface NamingCall {
  readonly name: string
  readonly query: string
}

/** For each argument that can name something, and each name, one call; and one that names nothing. */
export function callsNaming(root: 'query' | 'mutation', field: GraphQLField<unknown, unknown>, names: Names) {
  const query = (args: string) => `${root} { ${field.name}${args && `(${args})`} ${wholeSelection(field)} }`
  const required = field.args.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
  const base = new Map(required.map(({ name, type }) => [name, literals(type, names)[0] ?? '""']))
  const plain = [...base].map(([name, value]) => `${name}: ${value}`).join(', ')
  const named = field.args.flatMap(({ name, type }) =>
    literals(type, names).map((value) =>
      [...new Map([...base, [name, value]])].map(([argument, given]) => `${argument}: ${given}`).join(', '),
    ),
  )
  return [...new Set([plain, ...named])].map((args): NamingCall => ({ name: field.name, query: query(args) }))
}

/** All ways to write a value of a type: the first is good as far as the schema can tell. */
function literals(type: GraphQLInputType, names: Names): string[] {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return literals(nullable.ofType, names).map((one) => `[${one}]`)
  if (isEnumType(nullable)) return [nullable.getValues()[0]?.name ?? '']
  if (isInputObjectType(nullable)) return objects(Object.values(nullable.getFields()), names)
  const { name } = nullable
  if (name === 'ID') return names.uuids.map((one) => JSON.stringify(one))
  if (name === 'DateTime') return ['"2026-01-01T00:00:00Z"']
  if (name === 'Duration') return ['"P1D"']
  if (name === 'String') return [...names.keys, ...names.uuids].map((one) => JSON.stringify(one))
  return [{ Int: '10', Float: '1.5', Boolean: 'false', JSON: '1' }[name] ?? '1']
}

interface InputField {
  readonly name: string
  readonly type: GraphQLInputType
  readonly defaultValue?: unknown
}

function objects(fields: readonly InputField[], names: Names): string[] {
  const required = fields.filter(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined)
  const base = required.map(({ name, type }) => [name, literals(type, names)[0] ?? '""'] as const)
  return fields.flatMap(({ name, type }) =>
    literals(type, names).map((value) => {
      const all = new Map([...base, [name, value] as const])
      return `{ ${[...all].map(([key, given]) => `${key}: ${given}`).join(', ')} }`
    }),
  )
}

/** All that an answer can hold, some levels deep, with what the edges of its objects lead to. */
function wholeSelection({ type }: GraphQLField<unknown, unknown>): string {
  const named = getNamedType(type)
  if (!isInterfaceType(named)) return selection(named as GraphQLObjectType, 5)
  const types = SCHEMA.getPossibleTypes(named).map((one) => `... on ${one.name} ${selection(one, 2, false)}`)
  return `{ __typename uuid ${types.join(' ')} }`
}

function selection(type: GraphQLObjectType, depth: number, hasEdges = true): string {
  if (isLeafType(type)) return ''
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const isEdge = field.extensions['edge'] !== undefined
    const isRepeated = field.name === 'edges'
    if ((isEdge || isRepeated) && !hasEdges) return []
    if (!isEdge && field.args.some(({ type: of }) => isNonNullType(of))) return []
    const named = getNamedType(field.type)
    if (isLeafType(named)) return [field.name]
    if (!isObjectType(named)) return [`${field.name} { __typename uuid }`]
    return depth === 0 ? [] : [`${field.name} ${selection(named, depth - 1, hasEdges && !isEdge && !isRepeated)}`]
  })
  return `{ __typename ${fields.join(' ')} }`
}

/** Of Query and Mutation: whether a role within an organization is enough for each. */
export function operationsOf(root: 'query' | 'mutation') {
  const type = root === 'query' ? SCHEMA.getQueryType() : SCHEMA.getMutationType()
  return Object.values(type?.getFields() ?? {}).map((field) => ({
    field: field as GraphQLField<unknown, unknown>,
    keepsWithin: field.extensions['keepsWithin'] === true,
  }))
}
