import { operation, type OperationFields } from '../operation.ts'
import { list, nonNull } from '../typed.ts'
import { LATEST, ONE_SERIES } from './arguments.ts'
import { readLatest, readOne } from './read.ts'
import { DATAPOINTS, LATEST_DATAPOINT } from './types.ts'

export const DATAPOINT_QUERIES: OperationFields = {
  datapoints: operation({
    right: 'data:read',
    keepsWithin: true,
    type: nonNull(DATAPOINTS),
    description:
      'Stored datapoints of one characteristic: a page of points, with `interval` aggregates of buckets, with `maxPoints` a curve for a chart. Too large requests are refused, never truncated.',
    args: ONE_SERIES,
    resolve: (call, args) => readOne(call, args),
  }),
  latestDatapoints: operation({
    right: 'data:read',
    keepsWithin: true,
    type: nonNull(list(LATEST_DATAPOINT)),
    description:
      'The last datapoint of each selected series, up to 1,000; all given conditions must hold. Ordered by component, service and characteristic. If a characteristic had another dataType, the last datapoint of each type; see `dataType`.',
    args: LATEST,
    resolve: (call, args) => readLatest(call, args),
  }),
}
