import { GraphQLID, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql'
import { PAGE_ARGUMENTS } from './page-type.ts'
import { operation, type OperationFields } from './scope.ts'
import type { SetpointListArguments, SetSetpointsArguments } from './setpoint-resolvers.ts'
import {
  COMPONENT_SETPOINT,
  MODEL_SETPOINT,
  SETPOINT,
  SETPOINT_CONNECTION,
  SETPOINT_FILTER,
  SETPOINT_ORDER,
} from './setpoint-types.ts'

// Setpoints are set by people and programs. A device sees those of its own system, and answers them by REST.

export const SETPOINT_QUERIES: OperationFields = {
  setpoints: operation<SetpointListArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: SETPOINT_CONNECTION,
    description: 'The setpoints of the domain, page by page.',
    args: {
      ...PAGE_ARGUMENTS,
      filter: { type: SETPOINT_FILTER, description: 'Which ones. Left out: all.' },
      order: { type: SETPOINT_ORDER, description: 'Left out: NEWEST_FIRST.' },
    },
    resolve: (resolvers, args) => resolvers.listSetpoints(args),
  }),
  setpoint: operation<{ readonly uuid: string }>({
    right: 'data:read',
    keepsWithin: true,
    type: SETPOINT,
    description: 'A setpoint; null where there is none.',
    args: { uuid: { type: new GraphQLNonNull(GraphQLID), description: 'The uuid of the setpoint.' } },
    resolve: (resolvers, { uuid }) => resolvers.findSetpoint(uuid),
  }),
}

export const SETPOINT_MUTATIONS: OperationFields = {
  setSetpoints: operation<SetSetpointsArguments>({
    right: 'setpoints:write',
    keepsWithin: true,
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(SETPOINT))),
    description:
      'Sets values of components, all of them or none, 10,000 at most. A setpoint that is not applied yet gives way to a newer one of the same characteristic.',
    args: {
      components: {
        type: new GraphQLList(new GraphQLNonNull(COMPONENT_SETPOINT)),
        description: 'Values for single components.',
      },
      models: {
        type: new GraphQLList(new GraphQLNonNull(MODEL_SETPOINT)),
        description: 'Values for all components of a component model.',
      },
      expiresAt: {
        type: GraphQLString,
        description: 'From when on they are void unless they are applied; RFC 3339. Left out: they never expire.',
      },
      expiresIn: {
        type: GraphQLString,
        description: 'In place of expiresAt, how long from now; an ISO 8601 duration such as PT15M.',
      },
    },
    resolve: (resolvers, args) => resolvers.setSetpoints(args),
  }),
}
