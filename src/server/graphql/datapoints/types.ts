import { GraphQLObjectType, GraphQLString, type GraphQLFieldConfigMap, type GraphQLOutputType } from 'graphql'
import { AGGREGATIONS, type Aggregation } from '../../../datapoints/buckets/aggregate.ts'
import type { Fill } from '../../../datapoints/buckets/fill.ts'
import type { ReadableSeries } from '../../../platform/datapoints/reading/series/readable-series.ts'
import type { PointOrder } from '../../../platform/datapoints/reading/stored/point-reader.ts'
import type { Thinning } from '../../../platform/datapoints/reading/forms/read-curve.ts'
import type { Naming } from '../../../records/edges.ts'
import { COMPONENT, SYSTEM } from '../../../records/entities.ts'
import { recordType } from '../../../records/registry.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import type { GraphqlContext } from '../call.ts'
import { withEdges } from '../edges/to-one.ts'
import { DATA_TYPE } from '../field-types.ts'
import { PAGE_INFO, type PageInfo } from '../page.ts'
import type { ManyItems } from '../plain-lists.ts'
import { plainList } from '../operation.ts'
import { INTEGER, JSON_VALUE, TEXT, TIME, UUID } from '../scalars.ts'
import { enumOf, list, nonNull } from '../typed.ts'

export interface Point {
  readonly timestamp: string
  readonly value: unknown
}

export type FiguresBucket = { readonly [aggregation in Aggregation]?: unknown } & {
  readonly from: string
  readonly to: string
  readonly count: number
}

export interface State {
  readonly from: string
  readonly to: string
  readonly value: unknown
  readonly count: number
}

/** A part is null if the query does not select it. */
export interface DatapointsAnswer {
  readonly series: ReadableSeries
  readonly points: ManyItems<Point> | null
  readonly pageInfo: PageInfo | null
  readonly buckets: ManyItems<FiguresBucket> | null
  readonly states: ManyItems<State> | null
}

export interface SeriesPoint extends Point {
  readonly series: ReadableSeries
}

const FIGURES: { readonly [aggregation in Aggregation]: string } = {
  min: 'The smallest value.',
  max: 'The largest value.',
  avg: 'The mean of the values.',
  timeWeightedAvg:
    'The mean over time: each value holds until the next one. At `from`, the last value before it holds. For a boolean: the share of time in which it was true.',
  sum: 'The sum of the values; null also if it is too large for a double.',
  count: 'How many points there are.',
  first: 'The first value.',
  last: 'The last value.',
  median: 'The value in the middle, interpolated.',
  p95: 'The value that 95 of 100 do not exceed, interpolated.',
  delta: 'The last value minus the one before the bucket: the consumption that a meter counted.',
  changes: 'How often the value changed.',
}

export const AGGREGATION = enumOf<Aggregation>('Aggregation', 'A figure of the points in a period.', FIGURES)

export const FILL = enumOf<Fill>(
  'Fill',
  'Value for buckets without a figure. Counts, sums, deltas and changes are never filled in.',
  {
    none: 'The bucket is left out.',
    null: 'Null.',
    previous: 'The figure of the bucket before.',
    linear: 'A line between the figures on both sides; only for numbers.',
  },
)

export const THINNING = enumOf<Thinning>(
  'Thinning',
  'Which points of a curve are kept. The first and the last point are always kept.',
  {
    shape: 'The points that preserve the shape (largest triangle three buckets).',
    extremes: 'The smallest and the largest stored value of each period.',
  },
)

export const POINT_ORDER = enumOf<PointOrder>('PointOrder', 'The order of points.', {
  'oldest first': null,
  'newest first': null,
})

interface OfSeries {
  readonly series: ReadableSeries
}

const SERIES_FIELDS = {
  systemUuid: ofSeries(UUID, 'The system.', ({ systemUuid }) => systemUuid),
  componentUuid: ofSeries(UUID, 'The component.', ({ componentUuid }) => componentUuid),
  serviceUuid: ofSeries(UUID, 'The uuid of the service.', ({ serviceUuid }) => serviceUuid),
  service: ofSeries(TEXT, 'The record key of the service.', ({ serviceKey }) => serviceKey),
  characteristicUuid: ofSeries(UUID, 'The uuid of the characteristic.', ({ characteristicUuid }) => characteristicUuid),
  characteristic: ofSeries(TEXT, 'The record key of the characteristic.', ({ characteristicKey }) => characteristicKey),
  dataType: ofSeries(
    nonNull(DATA_TYPE),
    'The type of these values. If the type has changed, older values keep their earlier type.',
    ({ characteristic }) => characteristic['dataType'],
  ),
  symbol: ofSeries(GraphQLString, 'The symbol of the unit.', ({ characteristic }) => characteristic['symbol'] ?? null),
}

const uuidsOf = (field: string, to: string) => ({ field, to, by: 'uuid' }) as const

/** The fields of a series, or of a pair of service and characteristic, that name objects. */
export const SERIES_NAMINGS: readonly Naming[] = [
  uuidsOf('systemUuid', SYSTEM.definition),
  uuidsOf('componentUuid', COMPONENT.definition),
  uuidsOf('serviceUuid', recordType(DATA_TYPES.service).definition),
  uuidsOf('characteristicUuid', recordType(DATA_TYPES.characteristic).definition),
]

function ofSeries(type: GraphQLOutputType, description: string, read: (series: ReadableSeries) => unknown) {
  return { type, description, resolve: ({ series }: OfSeries) => read(series) }
}

const POINT_FIELDS = {
  timestamp: { type: TIME, description: 'When it was measured, to the microsecond.' },
  value: { type: nonNull(JSON_VALUE), description: 'As it was sent; an integer beyond 2^53 as a decimal string.' },
}

const DATAPOINT = new GraphQLObjectType<Point, GraphqlContext>({
  name: 'Datapoint',
  description: 'A value and its time.',
  fields: POINT_FIELDS,
})

const BUCKET = new GraphQLObjectType<FiguresBucket, GraphqlContext>({
  name: 'DatapointBucket',
  description: 'Figures of the points in a period. Figures that were not requested are null.',
  fields: {
    from: { type: TIME, description: 'Its beginning, inclusive.' },
    to: { type: TIME, description: 'Its end, exclusive.' },
    ...Object.fromEntries(
      AGGREGATIONS.map((aggregation) => [aggregation, { type: JSON_VALUE, description: FIGURES[aggregation] }]),
    ),
  },
})

const STATE = new GraphQLObjectType<State, GraphqlContext>({
  name: 'DatapointState',
  description: 'A period in which a value did not change.',
  fields: {
    from: { type: TIME, description: 'Since when.' },
    to: { type: TIME, description: 'The end: the next period begins, or the range ends.' },
    value: {
      type: nonNull(JSON_VALUE),
      description:
        'The value. If it changed more often than maxPoints, the range is split into maxPoints equal periods, with the value that held longest in each.',
    },
    count: {
      type: nonNull(INTEGER),
      description: 'Number of points; 0 if the value was reported before the range.',
    },
  },
})

export const DATAPOINTS = new GraphQLObjectType<DatapointsAnswer, GraphqlContext>({
  name: 'Datapoints',
  description:
    'The answer for one characteristic of one service of one component; fields that were not requested are null.',
  fields: () => ({
    ...withEdges<OfSeries>(SERIES_FIELDS, SERIES_NAMINGS),
    otherDataTypes: {
      type: nonNull(list(DATA_TYPE)),
      description: 'Other types that have values; ask for them with `dataType`.',
      resolve: ({ series }) => series.otherDataTypes ?? [],
    },
    points: plainList(
      DATAPOINT,
      'A page of points, or the points of a curve with `maxPoints`.',
      ({ points }: DatapointsAnswer) => points,
    ),
    pageInfo: { type: PAGE_INFO, description: 'For a page: whether there are more points.' },
    buckets: plainList(BUCKET, 'With `interval`.', ({ buckets }: DatapointsAnswer) => buckets),
    states: plainList(
      STATE,
      'With `maxPoints`, if the values are not numbers.',
      ({ states }: DatapointsAnswer) => states,
    ),
  }),
})

export const LATEST_FIELDS: GraphQLFieldConfigMap<SeriesPoint, GraphqlContext> = { ...SERIES_FIELDS, ...POINT_FIELDS }

export const LATEST_DATAPOINT = new GraphQLObjectType<SeriesPoint, GraphqlContext>({
  name: 'LatestDatapoint',
  description: 'The last point of a characteristic of a service of a component.',
  fields: () => withEdges(LATEST_FIELDS, SERIES_NAMINGS),
})
