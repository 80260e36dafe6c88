import { AGGREGATIONS, type Aggregation } from '../../../datapoints/buckets/aggregate.ts'
import type { Before } from '../../../datapoints/chunks/point-columns.ts'
import type { Bucket } from '../../../datapoints/buckets/fill.ts'
import type { Run } from '../../../datapoints/buckets/state-changes.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import type { ValueRules } from '../../../records/values/value.ts'
import type { Json } from '../../../lib/json.ts'
import type { SeriesName } from '../../../platform/datapoints/reading/series/find-series.ts'
import {
  readDatapoints,
  readLatest as readLatestOf,
  type SeriesReading,
} from '../../../platform/datapoints/reading/read-datapoints.ts'
import { cursorOfPoint } from '../../../platform/datapoints/reading/forms/read-page.ts'
import { readingQuery, readRange } from '../../../platform/datapoints/reading/reading-query.ts'
import { requireStored } from '../../../platform/datapoints/reading/require-stored.ts'
import { shownCell, shownFigure } from '../../../platform/datapoints/reading/shown-cell.ts'
import { checkName, checkUuid } from '../../checked-arguments.ts'
import type { Call } from '../call.ts'
import { manyItems } from '../plain-lists.ts'
import { seriesFilter } from '../series-filter.ts'
import { type DatapointArguments, type LatestArguments, LATEST, ONE_SERIES } from './arguments.ts'
import {
  type DatapointsAnswer,
  type FiguresBucket,
  type Point,
  type SeriesPoint,
  type State,
  DATAPOINTS,
  LATEST_DATAPOINT,
} from './types.ts'
import { toSeriesPoint } from './latest-edge.ts'
import { operation, type OperationFields } from '../operation.ts'
import { list, nonNull } from '../typed.ts'

/** Returns the stored datapoints of one series, in the requested form. */
async function readOne({ context, actor }: Call, args: DatapointArguments): Promise<DatapointsAnswer> {
  const now = context.now()
  const query = readingQuery(args, now)
  if (args.serviceChange != null) await requireStored(context, args.serviceChange)
  return answerOf(await readDatapoints(context, actor, seriesName(args), query, now), args)
}

/** Returns the last datapoint of each series. */
async function readLatest({ context, actor }: Call, args: LatestArguments): Promise<readonly SeriesPoint[]> {
  const { before, serviceChange, dataType } = args
  const { to } = readRange({ to: before }, context.now(), () => 'before')
  if (serviceChange != null) await requireStored(context, serviceChange)
  const asked = { before: to, dataType: dataType ?? undefined }
  const latest = await readLatestOf(context, actor, seriesFilter(args), asked)
  return latest.map(toSeriesPoint)
}

function seriesName({ component, service, characteristic, dataType }: DatapointArguments): SeriesName {
  return {
    dataType: dataType ?? undefined,
    component: checkUuid(component, 'component'),
    service: checkName(service, 'service'),
    characteristic: checkName(characteristic, 'characteristic'),
  }
}

function answerOf({ series, reading }: SeriesReading, { after }: Pick<DatapointArguments, 'after'>): DatapointsAnswer {
  const { rules } = series
  const hasPoints = reading.form === 'page' || reading.form === 'curve'
  return {
    series,
    points: hasPoints ? manyItems(reading.points, (point) => pointView(point, rules)) : null,
    pageInfo: reading.form === 'page' ? pageInfo(reading, after != null) : null,
    buckets: reading.form === 'buckets' ? manyItems(reading.buckets, (bucket) => bucketView(bucket, rules)) : null,
    states: reading.form === 'states' ? manyItems(reading.states, (run) => stateView(run, rules)) : null,
  }
}

function pageInfo(
  { points, hasNextPage }: Extract<SeriesReading['reading'], { form: 'page' }>,
  hasPreviousPage: boolean,
) {
  const [first, last] = [points[0], points.at(-1)]
  return {
    hasNextPage,
    hasPreviousPage,
    startCursor: first === undefined ? null : cursorOfPoint(first.at),
    endCursor: last === undefined ? null : cursorOfPoint(last.at),
  }
}

function pointView({ at, value }: Before, rules: ValueRules): Point {
  return { timestamp: timestampText(at), value: shownCell(value, rules) }
}

function bucketView({ from, to, count, cells }: Bucket, rules: ValueRules): FiguresBucket {
  const figures: { [aggregation in Aggregation]?: Json } = {}
  for (const aggregation of AGGREGATIONS) {
    const cell = cells[aggregation]
    if (cell !== undefined) figures[aggregation] = shownFigure(aggregation, cell, rules)
  }
  return { ...figures, from: timestampText(from), to: timestampText(to), count }
}

function stateView({ from, to, value, count }: Run, rules: ValueRules): State {
  return { from: timestampText(from), to: timestampText(to), value: shownCell(value, rules), count }
}

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
