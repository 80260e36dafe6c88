import { GraphQLBoolean, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import type {
  ClearRetentionArguments,
  RetentionChangeView,
  RetentionView,
  SetRetentionArguments,
} from './retention-resolvers.ts'
import type { GraphqlContext } from './resolvers.ts'
import { DATE_TIME, INTEGER } from './scalars.ts'
import { operation, type OperationFields } from './scope.ts'

const RETENTION = new GraphQLObjectType<RetentionView, GraphqlContext>({
  name: 'Retention',
  description: 'How long datapoints are kept. What is older is not accepted, not shown, and deleted.',
  fields: {
    characteristicUuid: {
      type: GraphQLID,
      description: 'Of this characteristic; null: of all that have no retention of their own.',
      resolve: ({ characteristic }) => characteristic?.uuid ?? null,
    },
    characteristic: {
      type: GraphQLString,
      description: 'The record key of the characteristic.',
      resolve: ({ characteristic }) => characteristic?.key ?? null,
    },
    keep: { type: GraphQLString, description: 'ISO 8601, in whole days and more; null: for ever.' },
    earliest: {
      type: DATE_TIME,
      description: 'The first time that is kept today: the beginning of a day (UTC). Null: all is.',
    },
    changedBy: {
      type: GraphQLString,
      description: 'Who set it; null for roles within an organization.',
      resolve: ({ actor }) => actor,
    },
    changedAt: { type: DATE_TIME, description: 'When it was set; null: never.' },
  },
})

const RETENTION_CHANGE = new GraphQLObjectType<RetentionChangeView, GraphqlContext>({
  name: 'RetentionChange',
  description: 'How long datapoints are kept from now on.',
  fields: {
    retention: { type: new GraphQLNonNull(RETENTION), description: 'What holds now.' },
    datapoints: {
      type: new GraphQLNonNull(INTEGER),
      description: 'How many stored datapoints that costs. They are not shown any more, and deleted within the hour.',
    },
  },
})

const ACKNOWLEDGE = {
  type: new GraphQLNonNull(GraphQLBoolean),
  defaultValue: false,
  description: 'That stored datapoints are deleted. Without it a change that costs any is BLOCKED, and says how many.',
}

export const RETENTION_QUERIES: OperationFields = {
  retention: operation<object>({
    right: 'data:read',
    keepsWithin: true,
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(RETENTION))),
    description: 'How long datapoints are kept: of the domain first, then those of single characteristics, by key.',
    resolve: (resolvers) => resolvers.listRetentions(),
  }),
}

export const RETENTION_MUTATIONS: OperationFields = {
  setRetention: operation<SetRetentionArguments>({
    right: 'model:write',
    type: new GraphQLNonNull(RETENTION_CHANGE),
    description: 'Sets how long datapoints are kept.',
    args: {
      characteristic: {
        type: GraphQLString,
        description: 'Uuid or record key. Left out or null: all characteristics that have no retention of their own.',
      },
      keep: {
        type: GraphQLString,
        description: 'ISO 8601, in whole days and more: P30D, P12W, P6M, P5Y. Left out or null: for ever.',
      },
      acknowledge: ACKNOWLEDGE,
    },
    resolve: (resolvers, args) => resolvers.setRetention(args),
  }),
  clearRetention: operation<ClearRetentionArguments>({
    right: 'model:write',
    type: new GraphQLNonNull(RETENTION_CHANGE),
    description: 'Takes the retention of a characteristic away: from now on that of the domain holds for it.',
    args: {
      characteristic: { type: new GraphQLNonNull(GraphQLString), description: 'Uuid or record key.' },
      acknowledge: ACKNOWLEDGE,
    },
    resolve: (resolvers, args) => resolvers.clearRetention(args),
  }),
}
