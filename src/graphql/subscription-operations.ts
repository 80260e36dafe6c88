import { GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql'
import type { GraphQLFieldConfig, GraphQLFieldConfigArgumentMap, GraphQLObjectType } from 'graphql'
import { requireRight } from '../auth/require-right.ts'
import type { Right } from '../auth/scopes.ts'
import { enumType } from './field-types.ts'
import type { GraphqlContext, Resolvers } from './resolvers.ts'
import type { OperationFields } from './scope.ts'
import type {
  EventSubscriptionArguments,
  SeriesSubscriptionArguments,
  SubscriptionArguments,
} from './subscription-resolvers.ts'
import { EVENT_CHANGES, NEW_APPLIES, NEW_DATAPOINTS, SETPOINT_CHANGES } from './subscription-types.ts'
import { TEXTS, UUIDS } from './scalars.ts'

// A device hears of its own system only.

interface SubscriptionField<Arguments> {
  readonly right: Right
  /** As of `operation`. */
  readonly keepsWithin?: boolean
  readonly type: GraphQLObjectType
  readonly description: string
  readonly args: GraphQLFieldConfigArgumentMap
  subscribe(resolvers: Resolvers, args: Arguments): Promise<AsyncIterable<unknown>>
}

/** A field of Subscription, as `operation` makes those of Query and Mutation. */
function subscription<Arguments>(field: SubscriptionField<Arguments>): GraphQLFieldConfig<unknown, GraphqlContext> {
  const { right, keepsWithin = false, type, description, args, subscribe } = field
  return {
    type: new GraphQLNonNull(type),
    description,
    args,
    extensions: { right, keepsWithin },
    async subscribe(_, given, { caller, resolversFor }, { fieldName }) {
      requireRight(fieldName, right, caller, keepsWithin)
      return subscribe(resolversFor(right), given as Arguments)
    },
    resolve: (changes) => changes,
  }
}

const AFTER: GraphQLFieldConfigArgumentMap = {
  after: { type: GraphQLString, description: 'The cursor after which to go on. Left out: from now on.' },
}

const PLACE: GraphQLFieldConfigArgumentMap = {
  systems: { type: UUIDS, description: 'Only those of these systems, by uuid.' },
  components: { type: UUIDS, description: 'Only those of these components, by uuid.' },
}

const SERIES: GraphQLFieldConfigArgumentMap = {
  ...PLACE,
  services: { type: TEXTS, description: 'Only those of these services; uuids or record keys.' },
  characteristics: { type: TEXTS, description: 'Only those of these characteristics; uuids or record keys.' },
}

export const SUBSCRIPTIONS: OperationFields = {
  datapoints: subscription<SeriesSubscriptionArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: NEW_DATAPOINTS,
    description:
      'Datapoints as they are stored, each once, in the order in which they were. `after` also takes the X-Service-Change of an answer.',
    args: { ...SERIES, ...AFTER },
    subscribe: (resolvers, args) => resolvers.subscribeToDatapoints(args),
  }),
  setpoints: subscription<SeriesSubscriptionArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: SETPOINT_CHANGES,
    description: 'Setpoints when they are made, and whenever they come into another state.',
    args: { ...SERIES, ...AFTER },
    subscribe: (resolvers, args) => resolvers.subscribeToSetpoints(args),
  }),
  events: subscription<EventSubscriptionArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: EVENT_CHANGES,
    description: 'Events when they are told, and ranges when they have ended.',
    args: {
      ...PLACE,
      eventModels: { type: TEXTS, description: 'Only those of these event models, by record key.' },
      levels: {
        type: new GraphQLList(new GraphQLNonNull(enumType('EventLevel'))),
        description: 'Only those of these levels.',
      },
      ...AFTER,
    },
    subscribe: (resolvers, args) => resolvers.subscribeToEvents(args),
  }),
  applies: subscription<SubscriptionArguments>({
    right: 'model:read',
    type: NEW_APPLIES,
    description: 'Applies of import documents when they are made.',
    args: AFTER,
    subscribe: (resolvers, args) => resolvers.subscribeToApplies(args),
  }),
}
