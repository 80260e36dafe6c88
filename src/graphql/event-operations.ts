import { GraphQLNonNull, GraphQLString } from 'graphql'
import type { EventListArguments, NewEventArguments } from './event-resolvers.ts'
import { EVENT, EVENT_CONNECTION, EVENT_FILTER, EVENT_INPUT } from './event-types.ts'
import { PAGE_ARGUMENTS } from './page-type.ts'
import { operation, type OperationFields } from './scope.ts'
import { UUID } from './scalars.ts'

// Events are told by those who send datapoints. A device tells and sees those of its own system only.

export const EVENT_QUERIES: OperationFields = {
  events: operation<EventListArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: EVENT_CONNECTION,
    description: 'The events of the domain, the newest first, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: { type: EVENT_FILTER, description: 'Which ones. Left out: all.' } },
    resolve: (resolvers, args) => resolvers.listEvents(args),
  }),
  event: operation<{ readonly uuid: string }>({
    right: 'data:read',
    keepsWithin: true,
    type: EVENT,
    description: 'An event; null where there is none.',
    args: { uuid: { type: UUID, description: 'The uuid of the event.' } },
    resolve: (resolvers, { uuid }) => resolvers.findEvent(uuid),
  }),
}

export const EVENT_MUTATIONS: OperationFields = {
  createEvent: operation<{ readonly input: NewEventArguments }>({
    right: 'datapoints:write',
    keepsWithin: true,
    type: new GraphQLNonNull(EVENT),
    description: 'Tells of an event. Sent again with its uuid it is answered with the first.',
    args: { input: { type: new GraphQLNonNull(EVENT_INPUT), description: 'The new event.' } },
    resolve: (resolvers, { input }) => resolvers.createEvent(input),
  }),
  endEvent: operation<{ readonly uuid: string; readonly at?: string | null }>({
    right: 'datapoints:write',
    keepsWithin: true,
    type: new GraphQLNonNull(EVENT),
    description: 'Says that a range has ended. One that has ended at another time already is a CONFLICT.',
    args: {
      uuid: { type: UUID, description: 'The uuid of the event.' },
      at: { type: GraphQLString, description: 'When it ended, as RFC 3339. Left out: now.' },
    },
    resolve: (resolvers, { uuid, at }) => resolvers.endEvent(uuid, at ?? null),
  }),
}
