import type {
  BucketView,
  DatapointArguments,
  DatapointResolvers,
  DatapointsView,
  DatapointView,
  LatestArguments,
  StateView,
} from '../../graphql/datapoint-resolvers.ts'
import type { Aggregation } from '../../datapoints/buckets/aggregate.ts'
import type { Before } from '../../datapoints/chunks/columns.ts'
import type { Bucket } from '../../datapoints/buckets/fill.ts'
import type { Run } from '../../datapoints/buckets/state-changes.ts'
import { timestampText } from '../../datapoints/wire/timestamp-text.ts'
import type { ValueRules } from '../../datapoints/rules/value.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import {
  findSeriesOf,
  requireSeries,
  type ReadableSeries,
  type SeriesName,
} from '../../platform/datapoints/reading/find-series.ts'
import { readDatapoints, readLatest, type Reading } from '../../platform/datapoints/reading/read-datapoints.ts'
import { cursorOfPoint } from '../../platform/datapoints/reading/read-page.ts'
import { ofDataType } from '../../platform/datapoints/reading/data-types.ts'
import { readingQuery, readRange } from '../../platform/datapoints/reading/reading-query.ts'
import { requireStored } from '../../platform/datapoints/reading/require-stored.ts'
import { shownCell, shownFigure } from '../../platform/datapoints/reading/shown-cell.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { checkName, checkUuid } from './arguments.ts'

/** Stored datapoints, as GraphQL asks for them. */
export function datapointResolversFor(context: DomainContext, actor: Actor): DatapointResolvers {
  return {
    async readDatapoints(args) {
      const now = context.now()
      const query = readingQuery(args, now)
      await requireWritten(context, args)
      const series = await requireSeries(context, actor, seriesName(args))
      return datapointsView(series, await readDatapoints(context, series, query, now), args)
    },
    async readLatestDatapoints(args) {
      const { to } = readRange({ to: args.before }, context.now())
      await requireWritten(context, args)
      const latest = await readLatest(
        context,
        ofDataType(await findSeriesOf(context, actor, seriesFilter(args)), args.dataType ?? undefined),
        to,
      )
      return latest.map(({ series, point }) => ({ series, ...pointView(point, series.rules) }))
    },
  }
}

async function requireWritten(
  context: DomainContext,
  { serviceChange }: Pick<LatestArguments, 'serviceChange'>,
): Promise<void> {
  if (serviceChange != null) await requireStored(context, serviceChange)
}

function seriesName({ component, service, characteristic, dataType }: DatapointArguments): SeriesName {
  return {
    dataType: dataType ?? undefined,
    component: checkUuid(component, 'component'),
    service: checkName(service, 'service'),
    characteristic: checkName(characteristic, 'characteristic'),
  }
}

function seriesFilter({ systems, components, services, characteristics }: LatestArguments) {
  return {
    systems: systems?.map((uuid) => checkUuid(uuid, 'systems')),
    components: components?.map((uuid) => checkUuid(uuid, 'components')),
    services: services?.map((name) => checkName(name, 'a service')),
    characteristics: characteristics?.map((name) => checkName(name, 'a characteristic')),
  }
}

function datapointsView(
  series: ReadableSeries,
  reading: Reading,
  { after }: Pick<DatapointArguments, 'after'>,
): DatapointsView {
  const { rules } = series
  const hasPoints = reading.form === 'page' || reading.form === 'curve'
  return {
    series,
    points: hasPoints ? reading.points.map((point) => pointView(point, rules)) : null,
    pageInfo: reading.form === 'page' ? pageInfo(reading, after != null) : null,
    buckets: reading.form === 'buckets' ? reading.buckets.map((bucket) => bucketView(bucket, rules)) : null,
    states: reading.form === 'states' ? reading.states.map((run) => stateView(run, rules)) : null,
  }
}

function pageInfo({ points, hasNextPage }: Extract<Reading, { form: 'page' }>, hasPreviousPage: boolean) {
  const [first, last] = [points[0], points.at(-1)]
  return {
    hasNextPage,
    hasPreviousPage,
    startCursor: first === undefined ? null : cursorOfPoint(first.at),
    endCursor: last === undefined ? null : cursorOfPoint(last.at),
  }
}

function pointView({ at, value }: Before, rules: ValueRules): DatapointView {
  return { timestamp: timestampText(at), value: shownCell(value, rules) }
}

function bucketView({ from, to, count, cells }: Bucket, rules: ValueRules): BucketView {
  const figures = Object.entries(cells).map(
    ([name, cell]) => [name, shownFigure(name as Aggregation, cell ?? null, rules)] as const,
  )
  return { from: timestampText(from), to: timestampText(to), count, figures: Object.fromEntries(figures) }
}

function stateView({ from, to, value, count }: Run, rules: ValueRules): StateView {
  return { from: timestampText(from), to: timestampText(to), value: shownCell(value, rules), count }
}
