import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { IMPORT_MUTATIONS, IMPORT_QUERIES } from './import-operations.ts'
import { recordMutations, recordQueries } from './record-operations.ts'
import type { DomainView } from './resolvers.ts'
import { operation, type OperationFields } from './scope.ts'

const DOMAIN = new GraphQLObjectType<DomainView>({
  name: 'Domain',
  description: 'A tenant: its records, users and data are apart from those of every other domain.',
  fields: {
    uuid: { type: new GraphQLNonNull(GraphQLID), description: 'Identifies the domain.' },
    name: { type: new GraphQLNonNull(GraphQLString), description: 'Name shown to people.' },
    hostNames: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))),
      description: 'The host names at which the platform answers for the domain.',
    },
  },
})

const DOMAIN_QUERIES: OperationFields = {
  currentDomain: operation<object>({
    scope: 'domain:read',
    type: new GraphQLNonNull(DOMAIN),
    description: 'The domain that this request is about.',
    resolve: (resolvers) => resolvers.currentDomain(),
  }),
}

export const SCHEMA = new GraphQLSchema({
  description: 'Holdfast: the data model of a domain, and its plans and applies.',
  query: new GraphQLObjectType({
    name: 'Query',
    description: 'What can be read.',
    fields: { ...DOMAIN_QUERIES, ...recordQueries(), ...IMPORT_QUERIES },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    description:
      'What can be changed. The fields of one request run one after the other, each in a transaction of its own.',
    fields: { ...recordMutations(), ...IMPORT_MUTATIONS },
  }),
})
