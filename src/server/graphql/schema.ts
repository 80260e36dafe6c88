import { GraphQLObjectType, GraphQLSchema } from 'graphql'
import { DELEGATED_USER_MUTATIONS, DELEGATED_USER_QUERIES } from './access/delegated-users.ts'
import { DOMAIN_MUTATIONS, DOMAIN_QUERIES } from './access/domain.ts'
import { EXPLANATION_QUERIES } from './access/explanation.ts'
import { GRANT_MUTATIONS, GRANT_QUERIES } from './access/grants.ts'
import { IDENTITY_MUTATIONS, IDENTITY_QUERIES } from './access/identities.ts'
import { METHOD_MUTATIONS, METHOD_QUERIES } from './access/methods.ts'
import { PASSWORD_AND_KEY_MUTATIONS, PASSWORD_QUERIES } from './access/passwords-and-keys.ts'
import { SESSION_MUTATIONS, SESSION_QUERIES } from './access/sessions.ts'
import { countLists } from './counted-lists.ts'
import { DATAPOINT_QUERIES } from './datapoints/read.ts'
import { REFUSED_DATAPOINT_QUERIES } from './datapoints/refused.ts'
import { DELETION_MUTATIONS, DELETION_QUERIES } from './deletions/deletions.ts'
import { NODE_QUERIES } from './edges/node.ts'
import { EVENT_MUTATIONS, EVENT_QUERIES } from './events.ts'
import { HISTORY_QUERIES } from './imports/history.ts'
import { IMPORT_MUTATIONS, IMPORT_QUERIES } from './imports/import-operations.ts'
import { recordMutations, recordQueries } from './records/record-operations.ts'
import { RETENTION_MUTATIONS, RETENTION_QUERIES } from './retention.ts'
import { SETPOINT_MUTATIONS, SETPOINT_QUERIES } from './setpoints.ts'
import { SUBSCRIPTIONS } from './subscriptions/subscription-operations.ts'
import { COMPONENT_MUTATIONS, COMPONENT_QUERIES } from './systems/components.ts'
import { CREDENTIAL_MUTATIONS, CREDENTIAL_QUERIES } from './systems/credentials.ts'
import { SYSTEM_MUTATIONS, SYSTEM_QUERIES } from './systems/systems.ts'

export const SCHEMA = new GraphQLSchema({
  description: 'Holdfast: the data model of a domain, and its plans and applies.',
  query: new GraphQLObjectType({
    name: 'Query',
    description: 'What can be read.',
    fields: {
      ...DOMAIN_QUERIES,
      ...recordQueries(),
      ...IMPORT_QUERIES,
      ...HISTORY_QUERIES,
      ...METHOD_QUERIES,
      ...IDENTITY_QUERIES,
      ...DELEGATED_USER_QUERIES,
      ...GRANT_QUERIES,
      ...EXPLANATION_QUERIES,
      ...SESSION_QUERIES,
      ...PASSWORD_QUERIES,
      ...SYSTEM_QUERIES,
      ...COMPONENT_QUERIES,
      ...CREDENTIAL_QUERIES,
      ...EVENT_QUERIES,
      ...DATAPOINT_QUERIES,
      ...REFUSED_DATAPOINT_QUERIES,
      ...RETENTION_QUERIES,
      ...SETPOINT_QUERIES,
      ...DELETION_QUERIES,
      ...NODE_QUERIES,
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    description: 'All changes. The fields of one request run one after the other, each in its own transaction.',
    fields: {
      ...recordMutations(),
      ...IMPORT_MUTATIONS,
      ...METHOD_MUTATIONS,
      ...IDENTITY_MUTATIONS,
      ...DELEGATED_USER_MUTATIONS,
      ...DOMAIN_MUTATIONS,
      ...PASSWORD_AND_KEY_MUTATIONS,
      ...GRANT_MUTATIONS,
      ...SESSION_MUTATIONS,
      ...SYSTEM_MUTATIONS,
      ...COMPONENT_MUTATIONS,
      ...CREDENTIAL_MUTATIONS,
      ...EVENT_MUTATIONS,
      ...RETENTION_MUTATIONS,
      ...SETPOINT_MUTATIONS,
      ...DELETION_MUTATIONS,
    },
  }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    description: 'All subscriptions, by POST with `Accept: text/event-stream`, one field in each request.',
    fields: SUBSCRIPTIONS,
  }),
})

countLists(SCHEMA)
