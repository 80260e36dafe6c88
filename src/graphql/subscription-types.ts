import { GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import type { LatestDatapointView } from './datapoint-resolvers.ts'
import { LATEST_DATAPOINT } from './datapoint-types.ts'
import { EVENT } from './event-types.ts'
import { APPLY } from './import-types.ts'
import type { GraphqlContext } from './resolvers.ts'
import { SETPOINT } from './setpoint-types.ts'

const CURSOR = {
  type: new GraphQLNonNull(GraphQLString),
  description: 'Where to go on: given as `after` it brings what came after this, also what was missed meanwhile.',
}

const NEW_DATAPOINT = new GraphQLObjectType<LatestDatapointView, GraphqlContext>({
  name: 'NewDatapoint',
  description: 'A point that was stored.',
  fields: () => LATEST_DATAPOINT.toConfig().fields,
})

export const NEW_DATAPOINTS = changes('NewDatapoints', 'datapoints', NEW_DATAPOINT, 'Points that were stored.')

export const SETPOINT_CHANGES = changes(
  'SetpointChanges',
  'setpoints',
  SETPOINT,
  'Setpoints that were made or have changed, as they are now.',
)

export const EVENT_CHANGES = changes(
  'EventChanges',
  'events',
  EVENT,
  'Events that were told or have ended, as they are now.',
)

export const NEW_APPLIES = changes('NewApplies', 'applies', APPLY, 'Applies that were made.')

function changes(name: string, field: string, type: GraphQLObjectType, description: string): GraphQLObjectType {
  const list = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
  return new GraphQLObjectType({ name, description, fields: { cursor: CURSOR, [field]: { type: list, description } } })
}
