import { GraphQLID } from 'graphql'
import { createEvent, endEvent, findEvent, findEvents, listEvents } from '../../platform/systems/events.ts'
import { checkUuid } from '../checked-arguments.ts'
import { EVENT } from '../../records/entities.ts'
import { checkedFilter, entityFilter, newEntityInput, nodeType } from './entities.ts'
import { operation, type OperationFields } from './operation.ts'
import { PAGE_ARGUMENTS, pageRequest, pageType, pageView } from './page.ts'
import { DATE_TIME } from './scalars.ts'
import { nonNull, optional, required } from './typed.ts'

// Senders of datapoints also send events. A device may send and see only the events of its own system.

export const EVENT_TYPE = nodeType(EVENT, {
  find: ({ context, actor }, uuids) => findEvents(context, actor, uuids),
})

const UUID_ARGUMENT = { uuid: required(GraphQLID, 'The uuid of the event.') }

export const EVENT_QUERIES: OperationFields = {
  events: operation({
    right: EVENT.rights.read,
    keepsWithin: true,
    type: nonNull(pageType(EVENT_TYPE, 'event')),
    description: 'The events of the domain, the newest first, page by page.',
    args: { ...PAGE_ARGUMENTS, filter: optional(entityFilter(EVENT), 'Selects some of them. Left out: all.') },
    resolve: async ({ context, actor }, args, info) =>
      pageView(args, await listEvents(context, actor, checkedFilter(EVENT, args.filter), pageRequest(args, info))),
  }),
  event: operation({
    right: EVENT.rights.read,
    keepsWithin: true,
    type: EVENT_TYPE,
    description: 'An event; null if there is none.',
    args: UUID_ARGUMENT,
    resolve: ({ context, actor }, { uuid }) => findEvent(context, actor, checkUuid(uuid, 'uuid')),
  }),
}

export const EVENT_MUTATIONS: OperationFields = {
  createEvent: operation({
    right: EVENT.rights.write,
    keepsWithin: true,
    type: nonNull(EVENT_TYPE),
    description:
      'Creates an event. If you send it again with its uuid, the answer is the stored event. If its content or end differs from the stored event, the answer is CONFLICT. To end a stored range, use endEvent.',
    args: { input: required(newEntityInput(EVENT), 'The new event.') },
    resolve: ({ context, actor }, { input: given }) => createEvent(context, actor, given),
  }),
  endEvent: operation({
    right: EVENT.rights.write,
    keepsWithin: true,
    type: nonNull(EVENT_TYPE),
    description: 'Ends a range. If it has already ended at another time, the answer is CONFLICT.',
    args: { ...UUID_ARGUMENT, at: optional(DATE_TIME, 'When it ended, as RFC 3339. Left out: now.') },
    resolve: ({ context, actor }, { uuid, at = null }) => endEvent(context, actor, checkUuid(uuid, 'uuid'), at),
  }),
}
