import { GraphQLID, GraphQLInt, GraphQLString } from 'graphql'
import { DATA_TYPE } from '../field-types.ts'
import { DATE_TIME, DURATION, TEXTS, UUIDS } from '../scalars.ts'
import { list, optional, required, type ValuesOf } from '../typed.ts'
import { AGGREGATION, FILL, POINT_ORDER, THINNING } from './types.ts'

const SERVICE_CHANGE = optional(
  GraphQLString,
  'The X-Service-Change of the answer to a batch: the result includes this batch, or the answer is CONFLICT.',
)

const RANGE = {
  from: optional(
    DATE_TIME,
    'RFC 3339, to the microsecond; part of the range. Left out: from the first point (of a page).',
  ),
  to: optional(
    DATE_TIME,
    'RFC 3339; not part of the range. Left out: for a page the last stored point; otherwise now, or the last point if it is later.',
  ),
}

const BUCKETS = {
  interval: optional(
    DURATION,
    'Length of the buckets, an ISO 8601 duration. PT15M, PT1H and so on are exact; P1D, P1W, P1M and P1Y follow the calendar. The range cuts the first and last bucket.',
  ),
  timeZone: optional(GraphQLString, 'IANA time zone in which days, weeks, months and years begin. Left out: UTC.'),
  aggregations: optional(list(AGGREGATION), 'What each bucket holds.'),
  fill: optional(FILL, 'Value for empty buckets. Left out: NONE.'),
}

const CURVE = {
  maxPoints: optional(GraphQLInt, 'Maximum number of points of a curve, or of periods if the values are not numbers.'),
  thinning: optional(THINNING, 'With maxPoints. Left out: SHAPE.'),
}

const PAGE = {
  first: optional(GraphQLInt, 'Maximum number of points on a page, up to 100,000. Left out: 1,000.'),
  after: optional(GraphQLString, 'The cursor after which to continue.'),
  order: optional(POINT_ORDER, 'Order of a page. Left out: OLDEST_FIRST.'),
}

export const ONE_SERIES = {
  component: required(GraphQLID, 'The uuid of the component.'),
  service: required(GraphQLString, 'The uuid or the record key of the service.'),
  characteristic: required(GraphQLString, 'The uuid or the record key of the characteristic.'),
  dataType: optional(
    DATA_TYPE,
    'Values of this type, also if the characteristic had it earlier: older values keep their stored type, and all text types count as one. Left out: the present type.',
  ),
  ...RANGE,
  ...BUCKETS,
  ...CURVE,
  ...PAGE,
  serviceChange: SERVICE_CHANGE,
}

export const LATEST = {
  systems: optional(UUIDS, 'The uuids of systems.'),
  components: optional(UUIDS, 'The uuids of components.'),
  services: optional(TEXTS, 'The uuids or record keys of services.'),
  characteristics: optional(TEXTS, 'The uuids or record keys of characteristics.'),
  dataType: optional(DATA_TYPE, 'Only values of this type.'),
  before: optional(DATE_TIME, 'RFC 3339: the last values at this time. Left out: the latest values.'),
  serviceChange: SERVICE_CHANGE,
}

export type DatapointArguments = ValuesOf<typeof ONE_SERIES>
export type LatestArguments = ValuesOf<typeof LATEST>
