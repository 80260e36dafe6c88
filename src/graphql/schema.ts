import { GraphQLObjectType, GraphQLSchema } from 'graphql'
import { ACCESS_MUTATIONS, ACCESS_QUERIES } from './access-operations.ts'
import { DATAPOINT_QUERIES } from './datapoint-operations.ts'
import { DOMAIN_QUERIES } from './domain-operations.ts'
import { EVENT_MUTATIONS, EVENT_QUERIES } from './event-operations.ts'
import { GRANT_MUTATIONS, GRANT_QUERIES, UPGRADE_QUERIES } from './grant-operations.ts'
import { IMPORT_MUTATIONS, IMPORT_QUERIES } from './import-operations.ts'
import { recordMutations, recordQueries } from './record-operations.ts'
import { SESSION_MUTATIONS, SESSION_QUERIES } from './session-operations.ts'
import { SETPOINT_MUTATIONS, SETPOINT_QUERIES } from './setpoint-operations.ts'
import { RETENTION_MUTATIONS, RETENTION_QUERIES } from './retention-operations.ts'
import { SUBSCRIPTIONS } from './subscription-operations.ts'
import { SYSTEM_MUTATIONS, SYSTEM_QUERIES } from './system-operations.ts'

export const SCHEMA = new GraphQLSchema({
  description: 'Holdfast: the data model of a domain, and its plans and applies.',
  query: new GraphQLObjectType({
    name: 'Query',
    description: 'What can be read.',
    fields: {
      ...DOMAIN_QUERIES,
      ...recordQueries(),
      ...IMPORT_QUERIES,
      ...ACCESS_QUERIES,
      ...GRANT_QUERIES,
      ...UPGRADE_QUERIES,
      ...SESSION_QUERIES,
      ...SYSTEM_QUERIES,
      ...EVENT_QUERIES,
      ...DATAPOINT_QUERIES,
      ...RETENTION_QUERIES,
      ...SETPOINT_QUERIES,
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    description:
      'What can be changed. The fields of one request run one after the other, each in a transaction of its own.',
    fields: {
      ...recordMutations(),
      ...IMPORT_MUTATIONS,
      ...ACCESS_MUTATIONS,
      ...GRANT_MUTATIONS,
      ...SESSION_MUTATIONS,
      ...SYSTEM_MUTATIONS,
      ...EVENT_MUTATIONS,
      ...RETENTION_MUTATIONS,
      ...SETPOINT_MUTATIONS,
    },
  }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    description: 'What can be followed, by POST with `Accept: text/event-stream`, one field in each request.',
    fields: SUBSCRIPTIONS,
  }),
})
