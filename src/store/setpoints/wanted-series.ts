import { toLines } from '../lines.ts'
import type { SetpointSeries } from './setpoints.ts'

/** The columns of a list of series. */
export const SERIES_COLUMNS = ['component', 'service', 'characteristic']
/** Finds the setpoints `e` of the series in the list `wanted`. */
export const OF_SERIES = `e.component_uuid = wanted.component::uuid and e.service_uuid = wanted.service::uuid
  and e.characteristic_uuid = wanted.characteristic::uuid`

export function seriesLines(series: readonly SetpointSeries[]): string[] {
  return [
    toLines(series.map(({ componentUuid }) => componentUuid)),
    toLines(series.map(({ serviceUuid }) => serviceUuid)),
    toLines(series.map(({ characteristicUuid }) => characteristicUuid)),
  ]
}
