import { isObject } from '../../../lib/json.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import { readLatest, type LatestPoint } from '../../../platform/datapoints/reading/read-datapoints.ts'
import { shownCell } from '../../../platform/datapoints/reading/shown-cell.ts'
import { edge } from '../edges/edge.ts'
import { list } from '../typed.ts'
import { LATEST_DATAPOINT, type SeriesPoint } from './types.ts'

export function toSeriesPoint({ series, point: { at, value } }: LatestPoint): SeriesPoint {
  return { series, timestamp: timestampText(at), value: shownCell(value, series.rules) }
}

/** Declares the last datapoints of systems or components, which are read for all of a list together. */
export function latestEdge<Source>(of: 'systems' | 'components', owner: 'systemUuid' | 'componentUuid') {
  return edge({
    kind: { type: LATEST_DATAPOINT, right: 'data:read', keepsWithin: true },
    type: list(LATEST_DATAPOINT),
    description:
      'The last datapoint of each series, ordered by component, service and characteristic. All lists that one place of a query selects have 1,000 at most together.',
    keyOf: (source: Source) => (isObject(source) ? String(source['uuid']) : null),
    async load({ call: { context, actor } }, uuids) {
      const latest = await readLatest(context, actor, { [of]: uuids })
      const byOwner = Map.groupBy(latest.map(toSeriesPoint), ({ series }) => series[owner])
      return new Map(uuids.map((uuid) => [uuid, byOwner.get(uuid) ?? []]))
    },
  })
}
