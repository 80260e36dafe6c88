import { GraphQLID, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql'
import type { GraphQLFieldConfigArgumentMap } from 'graphql'
import type { DatapointArguments, LatestArguments } from './datapoint-resolvers.ts'
import { AGGREGATION, DATAPOINTS, FILL, LATEST_DATAPOINT, POINT_ORDER, THINNING } from './datapoint-types.ts'
import { enumType } from './field-types.ts'
import { operation, type OperationFields } from './scope.ts'
import { TEXTS, UUIDS } from './scalars.ts'

const SERIES_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  component: { type: new GraphQLNonNull(GraphQLID), description: 'The uuid of the component.' },
  service: { type: new GraphQLNonNull(GraphQLString), description: 'The uuid or the record key of the service.' },
  characteristic: {
    type: new GraphQLNonNull(GraphQLString),
    description: 'The uuid or the record key of the characteristic.',
  },
}

const DATA_TYPE: GraphQLFieldConfigArgumentMap = {
  dataType: {
    type: enumType('DataType'),
    description:
      'Values of this type, also where the characteristic had it once: older values stay what they were stored as, and all that are texts are one. Left out: the type that it has now.',
  },
}

const RANGE_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  from: {
    type: GraphQLString,
    description: 'RFC 3339, to the microsecond; part of the range. Left out: from the first point (of a page).',
  },
  to: { type: GraphQLString, description: 'RFC 3339; not part of the range. Left out: now.' },
}

const BUCKET_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  interval: {
    type: GraphQLString,
    description:
      'Asks for buckets of this ISO 8601 duration: PT15M, PT1H and so on are exact, P1D, P1W, P1M, P1Y are of the calendar. The first and the last end with the range.',
  },
  timeZone: {
    type: GraphQLString,
    description: 'IANA time zone in which days, weeks, months and years begin. Left out: UTC.',
  },
  aggregations: { type: new GraphQLList(new GraphQLNonNull(AGGREGATION)), description: 'What each bucket holds.' },
  fill: { type: FILL, description: 'What stands where there is nothing. Left out: NONE.' },
}

const SERVICE_CHANGE: GraphQLFieldConfigArgumentMap = {
  serviceChange: {
    type: GraphQLString,
    description:
      'The X-Service-Change with which a batch was answered: what it stored is in the answer, or there is a CONFLICT.',
  },
}

const OTHER_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  maxPoints: {
    type: GraphQLInt,
    description:
      'Asks for at most so many points, to draw a curve with; of values that are no numbers, for the times in which they held.',
  },
  thinning: { type: THINNING, description: 'With maxPoints. Left out: SHAPE.' },
  first: { type: GraphQLInt, description: 'How many points of a page at most, up to 100,000. Left out: 1,000.' },
  after: { type: GraphQLString, description: 'The cursor after which to go on.' },
  order: { type: POINT_ORDER, description: 'Of a page. Left out: OLDEST_FIRST.' },
}

export const DATAPOINT_QUERIES: OperationFields = {
  datapoints: operation<DatapointArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: new GraphQLNonNull(DATAPOINTS),
    description:
      'Stored datapoints of one characteristic: a page of points, with `interval` figures of buckets, with `maxPoints` what a chart can show. What is too much is refused, never cut off.',
    args: {
      ...SERIES_ARGUMENTS,
      ...DATA_TYPE,
      ...RANGE_ARGUMENTS,
      ...BUCKET_ARGUMENTS,
      ...OTHER_ARGUMENTS,
      ...SERVICE_CHANGE,
    },
    resolve: (resolvers, args) => resolvers.readDatapoints(args),
  }),
  latestDatapoints: operation<LatestArguments>({
    right: 'data:read',
    keepsWithin: true,
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(LATEST_DATAPOINT))),
    description:
      'The last datapoint of each series of up to 1,000 that are meant; all that is said must hold. By component, service and characteristic. Of a characteristic that had another dataType the last one of each type, as `dataType` says.',
    args: {
      systems: { type: UUIDS, description: 'The uuids of systems.' },
      components: { type: UUIDS, description: 'The uuids of components.' },
      services: { type: TEXTS, description: 'The uuids or record keys of services.' },
      characteristics: { type: TEXTS, description: 'The uuids or record keys of characteristics.' },
      dataType: { type: enumType('DataType'), description: 'Only values of this type.' },
      before: { type: GraphQLString, description: 'RFC 3339: as it was then. Left out: now.' },
      ...SERVICE_CHANGE,
    },
    resolve: (resolvers, args) => resolvers.readLatestDatapoints(args),
  }),
}
