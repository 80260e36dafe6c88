import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { EventView } from './event-resolvers.ts'
import { enumType } from './field-types.ts'
import { pageType } from './page-type.ts'
import type { GraphqlContext } from './resolvers.ts'
import { DATE_TIME, TEXT, TEXTS, UUID, UUIDS } from './scalars.ts'
import { metadataInput, NEW_UUID } from './system-inputs.ts'
import { metadataOutput } from './system-types.ts'

export const EVENT = new GraphQLObjectType<EventView, GraphqlContext>({
  name: 'Event',
  description: 'Something that happened to a system or a component, of the kind that its event model says.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the event.' },
    eventModel: { type: TEXT, description: 'The record key of its event model.', resolve: ({ model }) => model },
    eventType: {
      type: new GraphQLNonNull(enumType('EventType')),
      description: 'Whether it is a single point in time or a range, as its model says.',
      resolve: ({ modelBody }) => modelBody['eventType'],
    },
    eventLevel: {
      type: new GraphQLNonNull(enumType('EventLevel')),
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
    at: { type: new GraphQLNonNull(DATE_TIME), description: 'When it happened, or began.' },
    endAt: {
      type: DATE_TIME,
      description: 'When the range ended; null while it has not, and for a single point in time.',
    },
    metadataKeyValueStore: metadataOutput('EVENT'),
    actor: { type: TEXT, description: 'Who told of it.' },
    createdAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When the platform heard of it.' },
  },
})

export const EVENT_CONNECTION = pageType(EVENT, 'event')

export const EVENT_INPUT = new GraphQLInputObjectType({
  name: 'EventInput',
  description: 'A new event.',
  fields: {
    uuid: NEW_UUID,
    eventModel: { type: TEXT, description: 'The record key of its event model.' },
    system: { type: GraphQLID, description: 'The uuid of the system, where the entityType of the model is SYSTEM.' },
    component: {
      type: GraphQLID,
      description: 'The uuid of the component, where the entityType of the model is COMPONENT.',
    },
    at: { type: GraphQLString, description: 'When it happened, or began, as RFC 3339. Left out: now.' },
    endAt: { type: GraphQLString, description: 'Of a range that is over: when it ended, as RFC 3339.' },
    message: { type: GraphQLString, description: 'In place of the message of the model.' },
    metadataKeyValueStore: metadataInput(
      'Its metadata. A key that is left out takes the default of its metadata type.',
    ),
  },
})

export const EVENT_FILTER = new GraphQLInputObjectType({
  name: 'EventFilter',
  description: 'Says which events are meant; all that is said must hold.',
  fields: {
    systems: { type: UUIDS, description: 'Only those of these systems and their components.' },
    components: { type: UUIDS, description: 'Only those of these components.' },
    eventModels: { type: TEXTS, description: 'Only those of these event models.' },
    levels: {
      type: new GraphQLList(new GraphQLNonNull(enumType('EventLevel'))),
      description: 'Only those of these levels.',
    },
    from: { type: GraphQLString, description: 'Only what was under way at this time (RFC 3339) or later.' },
    to: { type: GraphQLString, description: 'Only what happened, or began, before this time (RFC 3339).' },
    isOpen: { type: GraphQLBoolean, description: 'true: only ranges that have not ended. false: only what is over.' },
  },
})
