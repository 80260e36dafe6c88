import { dataTypeOf } from '../../../../../records/data-types/data-type.ts'
import type { Json } from '../../../../../lib/json.ts'
import type { LatestPoint } from '../../../../../platform/datapoints/reading/read-datapoints.ts'
import type { SystemSeries } from '../../../../../platform/datapoints/reading/series/system-series.ts'
import type { Visit } from '../../../../page.ts'
import { dateText } from '../../../../parts/time.ts'
import { valueText } from './value-text.ts'

/** The maximum number of characters of a text that a page shows. */
export const LONGEST_LATEST = 1_000

/** The last points by series. A series without points has no entry. */
export type LatestOf = ReadonlyMap<SystemSeries, LatestPoint['point']>

export function pairWithPoints(series: readonly SystemSeries[], found: readonly LatestPoint[]): LatestOf {
  const points = new Map(found.map(({ series: { id }, point }) => [id, point]))
  return new Map(
    series.flatMap((one) => {
      const point = one.id === null ? undefined : points.get(one.id)
      return point === undefined ? [] : [[one, point] as const]
    }),
  )
}

/** The text of a value. Times are shown in the person's time zone. */
export function latestText(value: Json, series: SystemSeries, { now, zone }: Pick<Visit, 'now' | 'zone'>): string {
  const isMoment = dataTypeOf(series.characteristic).input === 'moment' && typeof value === 'string'
  return isMoment ? dateText(new Date(value), now, zone) : valueText(value, series)
}
