import { GraphQLBoolean, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql'
import { parentKey } from '../records/identity.ts'
import type { RecordType } from '../records/record-type.ts'
import { RECORD_TYPES } from '../records/registry.ts'
import { definition, storedFields, type Field } from '../records/shape.ts'
import { descriptionOf, outputType } from './field-types.ts'
import { spoken } from './names.ts'
import type { GraphqlContext, RecordConnection, RecordEdge, RecordView } from './resolvers.ts'
import { DATE_TIME, INTEGER } from './scalars.ts'

type RecordField = GraphQLFieldConfig<RecordView, GraphqlContext>

const PAGE_INFO = new GraphQLObjectType({
  name: 'PageInfo',
  description: 'Whether there is more of a list, and where it goes on.',
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean), description: 'Whether more follows.' },
    hasPreviousPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether this page began after a cursor.',
    },
    startCursor: { type: GraphQLString, description: 'The cursor of the first of this page.' },
    endCursor: {
      type: GraphQLString,
      description: 'The cursor of the last of this page: give it as `after` for the next one.',
    },
  },
})

export const PAGE_INFO_TYPE = new GraphQLNonNull(PAGE_INFO)

/** The object type of each record type, and the connection to many of it. */
export const RECORD_OBJECTS: ReadonlyMap<RecordType, { object: GraphQLObjectType; connection: GraphQLObjectType }> =
  new Map(
    RECORD_TYPES.map((type) => {
      const object = recordObject(type)
      return [type, { object, connection: connectionOf(type, object) }]
    }),
  )

function recordObject(type: RecordType): GraphQLObjectType {
  return new GraphQLObjectType<RecordView, GraphqlContext>({
    name: type.definition,
    description: definition(type.definition).description ?? null,
    fields: { ...commonFields(type), ...clientFields(type), ...treeFields(type), ...bodyFields(type), ...timeFields() },
  })
}

function commonFields(type: RecordType): GraphQLFieldConfigMap<RecordView, GraphqlContext> {
  return {
    uuid: {
      type: new GraphQLNonNull(GraphQLID),
      description: `Identifies the ${spoken(type)} for ever, also after a move.`,
    },
    // Not `key`: that is a field of some record types.
    recordKey: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'Its identity within the domain, as plans write it.',
      resolve: ({ key }) => key,
    },
  }
}

/** A program that signs in with a client secret (RFC 6749, section 2.2). */
export function isClient(type: RecordType): boolean {
  return type.secretKind === 'client-secret'
}

function clientFields(type: RecordType): { [name: string]: RecordField } {
  if (!isClient(type) || type.secret === undefined) return {}
  return {
    identifier: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'The client_id of the authentication flows: the identity and a part of the uuid.',
      resolve: ({ key, uuid }) => `${key}.${uuid.slice(0, 8)}`,
    },
    [type.secret]: {
      type: GraphQLString,
      description: `The client secret. Only in the answer of create${type.definition}, and never again: null everywhere else.`,
      resolve: ({ secret }) => secret ?? null,
    },
  }
}

function treeFields(type: RecordType): { [name: string]: RecordField } {
  if (type.tree === undefined) return {}
  return {
    parentRecordKey: {
      type: GraphQLString,
      description: 'The key of the record that holds this one; null at the root.',
      resolve: ({ key }) => parentKey(key),
    },
  }
}

function bodyFields(type: RecordType): { [name: string]: RecordField } {
  return Object.fromEntries(
    storedFields(type).map((field) => {
      const otherwise = valueWhereAbsent(type, field)
      const resolve: RecordField['resolve'] = ({ body }) => body[field.name] ?? otherwise
      return [field.name, { type: outputType(field), description: descriptionOf(field.node), resolve }]
    }),
  )
}

/** In the canonical form an empty list does not appear, save where it says something else than none. */
function valueWhereAbsent(type: RecordType, { name, isArray, defaultValue }: Field) {
  const isEmptyList = isArray && type.emptyIsSet?.includes(name) !== true
  return defaultValue ?? (isEmptyList ? [] : null)
}

function timeFields(): { [name: string]: RecordField } {
  return {
    createdAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When it was created.' },
    updatedAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When it was changed last.' },
  }
}

/** As the Relay specification has it (https://relay.dev/graphql/connections.htm), with `nodes` for those who need no cursors. */
function connectionOf(type: RecordType, object: GraphQLObjectType): GraphQLObjectType {
  const edge = new GraphQLObjectType<RecordEdge>({
    name: `${type.definition}Edge`,
    description: `One ${spoken(type)} in a list.`,
    fields: {
      node: { type: new GraphQLNonNull(object), description: `The ${spoken(type)}.` },
      cursor: { type: new GraphQLNonNull(GraphQLString), description: 'Its place in the list.' },
    },
  })
  return new GraphQLObjectType<RecordConnection>({
    name: `${type.definition}Connection`,
    description: `A page of the ${type.name}.`,
    fields: {
      edges: { type: listOf(edge), description: 'The page, with cursors.' },
      nodes: {
        type: listOf(object),
        description: 'The page, without cursors.',
        resolve: ({ edges }) => edges.map(({ node }) => node),
      },
      pageInfo: { type: PAGE_INFO_TYPE, description: 'Whether there is more.', resolve: pageInfo },
      totalCount: { type: new GraphQLNonNull(INTEGER), description: 'How many there are on all pages.' },
    },
  })
}

function listOf(item: GraphQLObjectType) {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(item)))
}

function pageInfo({ edges, hasNextPage, hasPreviousPage }: RecordConnection) {
  return {
    hasNextPage,
    hasPreviousPage,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  }
}
