import { toLines } from '../lines.ts'
import { hidden } from '../narrowest.ts'
import type { SetpointSeries } from './setpoints.ts'

/** The columns of a list of series. */
export const SERIES_COLUMNS = ['component::uuid', 'service::uuid', 'characteristic::uuid']
/** Finds the setpoints `e` of the series in the list `wanted`, by their component: few have it, and many the service. */
export const OF_SERIES = `e.component_uuid = wanted.component
  and ${hidden('e.service_uuid = wanted.service and e.characteristic_uuid = wanted.characteristic')}`

export function seriesLines(series: readonly SetpointSeries[]): string[] {
  return [
    toLines(series.map(({ componentUuid }) => componentUuid)),
    toLines(series.map(({ serviceUuid }) => serviceUuid)),
    toLines(series.map(({ characteristicUuid }) => characteristicUuid)),
  ]
}
