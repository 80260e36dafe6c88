import { GraphQLBoolean, GraphQLID, GraphQLString } from 'graphql'
import {
  createEvent,
  endEvent,
  findEvent,
  listEvents,
  type Event,
  type EventQuery,
} from '../../platform/systems/events.ts'
import { checkNames, checkUuid, checkUuids } from '../checked-arguments.ts'
import { EVENT } from '../../records/entities/event.ts'
import { entityType, newEntityInput } from './entities.ts'
import { EVENT_LEVEL } from './field-types.ts'
import { operation, type OperationFields } from './operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from './page.ts'
import { TEXTS, UUIDS } from './scalars.ts'
import { input, list, nonNull, optional, required, type ValueOf } from './typed.ts'

// Events are told by those who send datapoints. A device tells and sees those of its own system only.

export const EVENT_TYPE = entityType<Event>(EVENT)

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
    right: EVENT.rights.read,
    keepsWithin: true,
    type: nonNull(pageType(EVENT_TYPE, 'event')),
    description: 'The events of the domain, the newest first, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: optional(EVENT_FILTER, 'Which ones. Left out: all.') },
    resolve: async ({ context, actor }, args) =>
      pageView(args, await listEvents(context, actor, eventQuery(args.filter ?? {}), pageRequest(args))),
  }),
  event: operation({
    right: EVENT.rights.read,
    keepsWithin: true,
    type: EVENT_TYPE,
    description: 'An event; null where there is none.',
    args: UUID_ARGUMENT,
    resolve: ({ context, actor }, { uuid }) => findEvent(context, actor, checkUuid(uuid, 'uuid')),
  }),
}

export const EVENT_MUTATIONS: OperationFields = {
  createEvent: operation({
    right: EVENT.rights.write,
    keepsWithin: true,
    type: nonNull(EVENT_TYPE),
    description: 'Tells of an event. Sent again with its uuid it is answered with the first.',
    args: { input: required(newEntityInput(EVENT), 'The new event.') },
    resolve: ({ context, actor }, { input: given }) => createEvent(context, actor, given),
  }),
  endEvent: operation({
    right: EVENT.rights.write,
    keepsWithin: true,
    type: nonNull(EVENT_TYPE),
    description: 'Says that a range has ended. One that has ended at another time already is a CONFLICT.',
    args: { ...UUID_ARGUMENT, at: optional(GraphQLString, 'When it ended, as RFC 3339. Left out: now.') },
    resolve: ({ context, actor }, { uuid, at = null }) => endEvent(context, actor, checkUuid(uuid, 'uuid'), at),
  }),
}
