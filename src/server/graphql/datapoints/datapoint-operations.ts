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
      'The last datapoint of each series of up to 1,000 that are meant; all that is said must hold. By component, service and characteristic. Of a characteristic that had another dataType the last one of each type, as `dataType` says.',
    args: LATEST,
    resolve: (call, args) => readLatest(call, args),
  }),
}
