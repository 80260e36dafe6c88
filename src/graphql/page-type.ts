import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import type { GraphQLFieldConfigArgumentMap } from 'graphql'
import { MAX_PAGE } from './record-inputs.ts'
import { PAGE_INFO_TYPE } from './record-types.ts'
import { INTEGER } from './scalars.ts'
import type { PageView } from './system-resolvers.ts'

interface Node {
  readonly uuid: string
}

/** A page of things that have a uuid, which is their cursor (https://relay.dev/graphql/connections.htm). */
export function pageType(node: GraphQLObjectType, spoken: string): GraphQLNonNull<GraphQLObjectType> {
  const edge = new GraphQLObjectType<Node>({
    name: `${node.name}Edge`,
    description: `One ${spoken} in a list.`,
    fields: {
      node: { type: new GraphQLNonNull(node), description: `The ${spoken}.`, resolve: (source) => source },
      cursor: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'Its place in the list.',
        resolve: ({ uuid }) => uuid,
      },
    },
  })
  const connection = new GraphQLObjectType<PageView<Node>>({
    name: `${node.name}Connection`,
    description: `A page of ${spoken}s.`,
    fields: {
      edges: { type: listOf(edge), description: 'The page, with cursors.', resolve: ({ nodes }) => nodes },
      nodes: { type: listOf(node), description: 'The page, without cursors.' },
      pageInfo: { type: PAGE_INFO_TYPE, description: 'Whether there is more.', resolve: pageInfo },
      totalCount: { type: new GraphQLNonNull(INTEGER), description: 'How many there are on all pages.' },
    },
  })
  return new GraphQLNonNull(connection)
}

function listOf(type: GraphQLObjectType) {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
}

function pageInfo({ nodes, hasNextPage, hasPreviousPage }: PageView<Node>) {
  return {
    hasNextPage,
    hasPreviousPage,
    startCursor: nodes[0]?.uuid ?? null,
    endCursor: nodes.at(-1)?.uuid ?? null,
  }
}

export const PAGE_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  first: {
    type: new GraphQLNonNull(GraphQLInt),
    defaultValue: 50,
    description: `How many at most, up to ${MAX_PAGE}.`,
  },
  after: { type: GraphQLString, description: 'The cursor after which to go on.' },
}
