import { GraphQLEnumType, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql'
import { AGGREGATIONS, type Aggregation } from '../datapoints/buckets/aggregate.ts'
import type {
  BucketView,
  DatapointsView,
  DatapointView,
  LatestDatapointView,
  SeriesView,
  StateView,
} from './datapoint-resolvers.ts'
import { enumType } from './field-types.ts'
import { PAGE_INFO_TYPE } from './record-types.ts'
import type { GraphqlContext } from './resolvers.ts'
import { INTEGER, JSON_VALUE, TEXT, TIME, UUID } from './scalars.ts'

const VALUE = new GraphQLNonNull(JSON_VALUE)
const COUNT = new GraphQLNonNull(INTEGER)

const FIGURES: { readonly [aggregation in Aggregation]: string } = {
  min: 'The smallest value.',
  max: 'The largest value.',
  avg: 'The mean of the values.',
  timeWeightedAvg:
    'The mean over time: a value holds until the next one, the one before `from` from there on. Of a boolean: the share of the time that it was true.',
  sum: 'The sum of the values; null also where no double is as large.',
  count: 'How many points there are.',
  first: 'The first value.',
  last: 'The last value.',
  median: 'The value in the middle, interpolated.',
  p95: 'The value that 95 of 100 do not exceed, interpolated.',
  delta: 'The last value less the one before the bucket: of a meter, what it counted.',
  changes: 'How often the value became another one.',
}

export const AGGREGATION = new GraphQLEnumType({
  name: 'Aggregation',
  description: 'A figure of the points in a time.',
  values: Object.fromEntries(
    AGGREGATIONS.map((aggregation) => [
      aggregation.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
      { value: aggregation, description: FIGURES[aggregation] },
    ]),
  ),
})

export const FILL = new GraphQLEnumType({
  name: 'Fill',
  description: 'What stands where a bucket has no figure. Counts, sums, deltas and changes are never filled in.',
  values: {
    NONE: { value: 'none', description: 'The bucket is left out.' },
    NULL: { value: 'null', description: 'Null.' },
    PREVIOUS: { value: 'previous', description: 'The figure before it.' },
    LINEAR: { value: 'linear', description: 'A line between the figures on both sides; of numbers only.' },
  },
})

export const THINNING = new GraphQLEnumType({
  name: 'Thinning',
  description: 'Which points of a curve are kept. The first and the last always are.',
  values: {
    SHAPE: { value: 'shape', description: 'Those that keep its look (largest triangle three buckets).' },
    EXTREMES: { value: 'extremes', description: 'The smallest and the largest of each stretch of time.' },
  },
})

export const POINT_ORDER = new GraphQLEnumType({
  name: 'PointOrder',
  description: 'The order of points.',
  values: { OLDEST_FIRST: { value: 'oldest first' }, NEWEST_FIRST: { value: 'newest first' } },
})

const SERIES_FIELDS: GraphQLFieldConfigMap<{ readonly series: SeriesView }, GraphqlContext> = {
  systemUuid: ofSeries(UUID, 'The system.', ({ systemUuid }) => systemUuid),
  componentUuid: ofSeries(UUID, 'The component.', ({ componentUuid }) => componentUuid),
  serviceUuid: ofSeries(UUID, 'The uuid of the service.', ({ serviceUuid }) => serviceUuid),
  service: ofSeries(TEXT, 'The record key of the service.', ({ serviceKey }) => serviceKey),
  characteristicUuid: ofSeries(UUID, 'The uuid of the characteristic.', ({ characteristicUuid }) => characteristicUuid),
  characteristic: ofSeries(TEXT, 'The record key of the characteristic.', ({ characteristicKey }) => characteristicKey),
  dataType: ofSeries(
    new GraphQLNonNull(enumType('DataType')),
    'What these values are: of those that were stored before the characteristic got another type, the type that it had.',
    ({ characteristic }) => characteristic['dataType'],
  ),
  symbol: ofSeries(GraphQLString, 'The symbol of the unit.', ({ characteristic }) => characteristic['symbol'] ?? null),
}

function ofSeries(
  type: GraphQLFieldConfig<{ readonly series: SeriesView }, GraphqlContext>['type'],
  description: string,
  read: (series: SeriesView) => unknown,
): GraphQLFieldConfig<{ readonly series: SeriesView }, GraphqlContext> {
  return { type, description, resolve: ({ series }) => read(series) }
}

const POINT_FIELDS: GraphQLFieldConfigMap<DatapointView, GraphqlContext> = {
  timestamp: { type: TIME, description: 'When it was measured, to the microsecond.' },
  value: { type: VALUE, description: 'As it was sent; an integer beyond 2^53 as a decimal string.' },
}

const DATAPOINT = new GraphQLObjectType<DatapointView, GraphqlContext>({
  name: 'Datapoint',
  description: 'A value and its time.',
  fields: POINT_FIELDS,
})

const BUCKET = new GraphQLObjectType<BucketView, GraphqlContext>({
  name: 'DatapointBucket',
  description: 'Figures of the points in a time. Those that were not asked for are null.',
  fields: {
    from: { type: TIME, description: 'Its beginning, which is part of it.' },
    to: { type: TIME, description: 'Its end, which is not.' },
    ...Object.fromEntries(
      AGGREGATIONS.map((aggregation) => [
        aggregation,
        {
          type: JSON_VALUE,
          description: FIGURES[aggregation],
          resolve: (bucket: BucketView) => figureOf(bucket, aggregation),
        },
      ]),
    ),
  },
})

function figureOf({ count, figures }: BucketView, aggregation: Aggregation): unknown {
  return aggregation === 'count' ? count : (figures[aggregation] ?? null)
}

const STATE = new GraphQLObjectType<StateView, GraphqlContext>({
  name: 'DatapointState',
  description: 'A time in which a value did not change.',
  fields: {
    from: { type: TIME, description: 'Since when.' },
    to: { type: TIME, description: 'Until when: the next one begins, or the range ends.' },
    value: {
      type: VALUE,
      description:
        'The value; where it changed more often than maxPoints, the one that held longest in each of as many equal stretches.',
    },
    count: { type: COUNT, description: 'How many points there were; 0 where it was reported before the range.' },
  },
})

const listOf = (type: GraphQLObjectType) => new GraphQLList(new GraphQLNonNull(type))

export const DATAPOINTS = new GraphQLObjectType<DatapointsView, GraphqlContext>({
  name: 'Datapoints',
  description: 'What was asked about one characteristic of one service of one component; the rest is null.',
  fields: {
    ...SERIES_FIELDS,
    otherDataTypes: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(enumType('DataType')))),
      description: 'The types of which there are values beside these, to be asked for with `dataType`.',
      resolve: ({ series }) => series.otherDataTypes ?? [],
    },
    points: { type: listOf(DATAPOINT), description: 'A page of points, or the points of a curve with `maxPoints`.' },
    pageInfo: { type: PAGE_INFO_TYPE.ofType, description: 'Of a page: whether there is more.' },
    buckets: { type: listOf(BUCKET), description: 'With `interval`.' },
    states: { type: listOf(STATE), description: 'With `maxPoints`, of values that are no numbers.' },
  },
})

export const LATEST_DATAPOINT = new GraphQLObjectType<LatestDatapointView, GraphqlContext>({
  name: 'LatestDatapoint',
  description: 'The last point of a characteristic of a service of a component.',
  fields: { ...SERIES_FIELDS, ...POINT_FIELDS } as GraphQLFieldConfigMap<LatestDatapointView, GraphqlContext>,
})
