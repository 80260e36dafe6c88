import { GraphQLBoolean, GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import type { EventType } from '../../../generated/import-document.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import { isSinglePoint } from '../../platform/systems/event-times.ts'
import {
  createEvent,
  endEvent,
  findEvent,
  listEvents,
  type Event,
  type EventQuery,
} from '../../platform/systems/events.ts'
import { checkNames, checkUuid, checkUuids } from '../checked-arguments.ts'
import type { GraphqlContext } from './call.ts'
import { enumType, EVENT_LEVEL } from './field-types.ts'
import { operation, type OperationFields } from './operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from './page.ts'
import { DATE_TIME, TEXT, TEXTS, TIME, UUID, UUIDS } from './scalars.ts'
import { metadataOutput, NEW_METADATA, NEW_UUID, newUuid } from './systems/common-fields.ts'
import { input, list, nonNull, optional, required, type ValueOf } from './typed.ts'

// Events are told by those who send datapoints. A device tells and sees those of its own system only.

export const EVENT = new GraphQLObjectType<Event, GraphqlContext>({
  name: 'Event',
  description: 'Something that happened to a system or a component, of the kind that its event model says.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the event.' },
    eventModel: { type: TEXT, description: 'The record key of its event model.', resolve: ({ model }) => model },
    eventType: {
      type: nonNull(enumType<EventType>('EventType')),
      description: 'Whether it is a single point in time or a range, as its model says.',
      resolve: ({ modelBody }) => modelBody['eventType'],
    },
    eventLevel: {
      type: nonNull(EVENT_LEVEL),
      description: 'How serious it is, as its model says.',
      resolve: ({ modelBody }) => modelBody['eventLevel'],
    },
    message: {
      type: GraphQLString,
      description: 'What it says to people: its own message, else that of its model.',
      resolve: ({ message, modelBody }) => message ?? modelBody['message'] ?? null,
    },
    systemUuid: { type: UUID, description: 'The system that it happened to, or to a component of it.' },
    componentUuid: { type: GraphQLID, description: 'The component; null where it happened to the system as a whole.' },
    at: {
      type: TIME,
      description: 'When it happened, or began.',
      resolve: ({ beginsAt }) => timestampText(beginsAt),
    },
    endAt: {
      type: DATE_TIME,
      description: 'When the range ended; null while it has not, and for a single point in time.',
      resolve: ({ endsAt, modelBody }) => (endsAt === null || isSinglePoint(modelBody) ? null : timestampText(endsAt)),
    },
    metadataKeyValueStore: metadataOutput('EVENT'),
    actor: { type: TEXT, description: 'Who told of it.' },
    createdAt: { type: TIME, description: 'When the platform heard of it.' },
  },
})

const EVENT_INPUT = input('EventInput', 'A new event.', {
  uuid: NEW_UUID,
  eventModel: required(GraphQLString, 'The record key of its event model.'),
  system: optional(GraphQLID, 'The uuid of the system, where the entityType of the model is SYSTEM.'),
  component: optional(GraphQLID, 'The uuid of the component, where the entityType of the model is COMPONENT.'),
  at: optional(GraphQLString, 'When it happened, or began, as RFC 3339. Left out: now.'),
  endAt: optional(GraphQLString, 'Of a range that is over: when it ended, as RFC 3339.'),
  message: optional(GraphQLString, 'In place of the message of the model.'),
  metadataKeyValueStore: NEW_METADATA,
})

const EVENT_FILTER = input('EventFilter', 'Says which events are meant; all that is said must hold.', {
  systems: optional(UUIDS, 'Only those of these systems and their components.'),
  components: optional(UUIDS, 'Only those of these components.'),
  eventModels: optional(TEXTS, 'Only those of these event models.'),
  levels: optional(list(EVENT_LEVEL), 'Only those of these levels.'),
  from: optional(GraphQLString, 'Only what was under way at this time (RFC 3339) or later.'),
  to: optional(GraphQLString, 'Only what happened, or began, before this time (RFC 3339).'),
  isOpen: optional(GraphQLBoolean, 'true: only ranges that have not ended. false: only what is over.'),
})

function eventQuery({
  systems,
  components,
  eventModels,
  levels,
  from,
  to,
  isOpen,
}: ValueOf<typeof EVENT_FILTER>): EventQuery {
  return {
    ...(systems && { systems: checkUuids(systems, 'filter.systems') }),
    ...(components && { components: checkUuids(components, 'filter.components') }),
    ...(eventModels && { eventModels: checkNames(eventModels, 'a record key of the filter') }),
    ...(levels && { levels }),
    ...(from != null && { from }),
    ...(to != null && { to }),
    ...(isOpen != null && { isOpen }),
  }
}

const UUID_ARGUMENT = { uuid: required(GraphQLID, 'The uuid of the event.') }

export const EVENT_QUERIES: OperationFields = {
  events: operation({
    right: 'data:read',
    keepsWithin: true,
    type: nonNull(pageType(EVENT, 'event')),
    description: 'The events of the domain, the newest first, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: optional(EVENT_FILTER, 'Which ones. Left out: all.') },
    resolve: async ({ context, actor }, args) =>
      pageView(args, await listEvents(context, actor, eventQuery(args.filter ?? {}), pageRequest(args))),
  }),
  event: operation({
    right: 'data:read',
    keepsWithin: true,
    type: EVENT,
    description: 'An event; null where there is none.',
    args: UUID_ARGUMENT,
    resolve: ({ context, actor }, { uuid }) => findEvent(context, actor, checkUuid(uuid, 'uuid')),
  }),
}

export const EVENT_MUTATIONS: OperationFields = {
  createEvent: operation({
    right: 'datapoints:write',
    keepsWithin: true,
    type: nonNull(EVENT),
    description: 'Tells of an event. Sent again with its uuid it is answered with the first.',
    args: { input: required(EVENT_INPUT, 'The new event.') },
    async resolve({ context, actor }, { input: { eventModel, system, component, metadataKeyValueStore, ...given } }) {
      return createEvent(context, actor, {
        ...given,
        ...newUuid(given),
        model: eventModel,
        systemUuid: system == null ? null : checkUuid(system, 'system'),
        componentUuid: component == null ? null : checkUuid(component, 'component'),
        metadata: metadataKeyValueStore ?? null,
      })
    },
  }),
  endEvent: operation({
    right: 'datapoints:write',
    keepsWithin: true,
    type: nonNull(EVENT),
    description: 'Says that a range has ended. One that has ended at another time already is a CONFLICT.',
    args: { ...UUID_ARGUMENT, at: optional(GraphQLString, 'When it ended, as RFC 3339. Left out: now.') },
    resolve: ({ context, actor }, { uuid, at = null }) => endEvent(context, actor, checkUuid(uuid, 'uuid'), at),
  }),
}
