import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { GraphQLInputFieldConfigMap } from 'graphql'
import { SETPOINT_STATES, type SetpointState } from '../datapoints/setpoint-state.ts'
import { pageType } from './page-type.ts'
import type { GraphqlContext } from './resolvers.ts'
import { DATE_TIME, JSON_VALUE, TEXT, TEXTS, TIME, UUID, UUIDS } from './scalars.ts'
import type { SetpointView } from './setpoint-resolvers.ts'

const VALUE = new GraphQLNonNull(JSON_VALUE)

const MEANINGS: { readonly [state in SetpointState]: string } = {
  PENDING: 'The device was not given it yet.',
  SENT: 'The device was given it, and has not said anything.',
  ACKNOWLEDGED: 'The device has taken it, and not set it yet.',
  APPLIED: 'The device has set it: it says so, or reports the value. Final.',
  REJECTED: 'The device does not set it. Final.',
  EXPIRED: 'Its time was over before it was applied. Final.',
  SUPERSEDED: 'A newer one came before it was applied. Final.',
}

const SETPOINT_STATE = new GraphQLEnumType({
  name: 'SetpointState',
  description: 'How far a setpoint has come.',
  values: Object.fromEntries(SETPOINT_STATES.map((state) => [state, { value: state, description: MEANINGS[state] }])),
})

export const SETPOINT_ORDER = new GraphQLEnumType({
  name: 'SetpointOrder',
  description: 'The order of setpoints, by the time at which they were made.',
  values: { NEWEST_FIRST: { value: 'newest first' }, OLDEST_FIRST: { value: 'oldest first' } },
})

export const SETPOINT = new GraphQLObjectType<SetpointView, GraphqlContext>({
  name: 'Setpoint',
  description: 'A value that a device shall set one of its characteristics to.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the setpoint.' },
    systemUuid: { type: UUID, description: 'The system of the component.' },
    componentUuid: { type: UUID, description: 'The component that shall set it.' },
    serviceUuid: { type: UUID, description: 'The uuid of the service.' },
    service: { type: TEXT, description: 'The record key of the service.' },
    characteristicUuid: { type: UUID, description: 'The uuid of the characteristic.' },
    characteristic: { type: TEXT, description: 'The record key of the characteristic.' },
    value: { type: VALUE, description: 'The value; an integer beyond 2^53 as a decimal string.' },
    state: { type: new GraphQLNonNull(SETPOINT_STATE), description: 'How far it has come.' },
    reason: { type: GraphQLString, description: 'What the device said to it.' },
    actor: { type: TEXT, description: 'Who set it.' },
    setAt: { type: TIME, description: 'When it was set, as whoever set it says.' },
    createdAt: { type: TIME, description: 'When the platform heard of it.' },
    expiresAt: {
      type: DATE_TIME,
      description: 'From when on it is void unless it is applied; null: it never expires.',
    },
    changedAt: { type: TIME, description: 'When it came into its state.' },
  },
})

export const SETPOINT_CONNECTION = pageType(SETPOINT, 'setpoint')

const SETTING: GraphQLInputFieldConfigMap = {
  service: { type: TEXT, description: 'The uuid or the record key of the service.' },
  characteristic: {
    type: TEXT,
    description: 'The uuid or the record key of the characteristic, whose characteristicType is SETTING.',
  },
  value: { type: VALUE, description: 'As datapoints have it, by the rules of the characteristic.' },
}

export const COMPONENT_SETPOINT = new GraphQLInputObjectType({
  name: 'ComponentSetpointInput',
  description: 'A value for one component.',
  fields: { component: { type: UUID, description: 'The uuid of the component.' }, ...SETTING },
})

export const MODEL_SETPOINT = new GraphQLInputObjectType({
  name: 'ModelSetpointInput',
  description: 'A value for all components of a component model. Those that are not ACTIVATED are left out.',
  fields: {
    componentModel: { type: TEXT, description: 'The record key of the component model.' },
    systems: { type: UUIDS, description: 'Only those of these systems.' },
    organizationUnits: {
      type: TEXTS,
      description:
        'Only those whose system belongs to one of these organizations or units, or to one below. Record keys.',
    },
    ...SETTING,
  },
})

export const SETPOINT_FILTER = new GraphQLInputObjectType({
  name: 'SetpointFilter',
  description: 'Says which setpoints are meant; all that is said must hold.',
  fields: {
    systems: { type: UUIDS, description: 'Only those of these systems.' },
    components: { type: UUIDS, description: 'Only those of these components.' },
    services: { type: TEXTS, description: 'Only those of these services; uuids or record keys.' },
    characteristics: { type: TEXTS, description: 'Only those of these characteristics; uuids or record keys.' },
    states: {
      type: new GraphQLList(new GraphQLNonNull(SETPOINT_STATE)),
      description: 'Only those that are in one of these states now.',
    },
    from: { type: GraphQLString, description: 'Only those that were made at this time (RFC 3339) or later.' },
    to: { type: GraphQLString, description: 'Only those that were made before this time (RFC 3339).' },
  },
})
