import { cellAt, type Cell } from '../../datapoints/chunks/columns.ts'
import type { SeriesFilter } from '../../store/datapoints/readable-series.ts'
import type { ReadableSeries } from '../datapoints/reading/find-series.ts'
import type { Delivery } from './feed.ts'
import type { StoredFlush } from './flush-reader.ts'
import type { SeenFlushes } from './seen-flushes.ts'
import { isMeant } from './subscription-filter.ts'

export interface StoredPoint {
  readonly series: ReadableSeries
  readonly at: number
  readonly value: Exclude<Cell, null>
}

export interface StoredPart {
  readonly points: readonly StoredPoint[]
  /** What has been seen with it; of a flush that goes on in the next part, nothing. */
  readonly position: SeenFlushes
}

/** What of a flush is of these series; null where nothing is. */
export function flushOf(flush: StoredFlush, filter: SeriesFilter): StoredFlush | null {
  const runs = flush.runs.filter(({ series }) => isSeriesMeant(series, filter))
  if (runs.length === 0) return null
  return { ...flush, runs, count: runs.reduce((sum, { columns }) => sum + columns.at.length, 0) }
}

function isSeriesMeant(series: ReadableSeries, filter: SeriesFilter): boolean {
  return (
    isMeant(filter.units, series.unitUuid) &&
    isMeant(filter.systems, series.systemUuid) &&
    isMeant(filter.components, series.componentUuid) &&
    isMeant(filter.services, series.serviceUuid, series.serviceKey) &&
    isMeant(filter.characteristics, series.characteristicUuid, series.characteristicKey)
  )
}

/** In parts that are not larger than `most`; where there is nothing, one part says so. */
export function* partsOf(
  { items, before, after }: Delivery<SeenFlushes, StoredFlush>,
  most: number,
): Generator<StoredPart, undefined> {
  let points: StoredPoint[] = []
  let shown: StoredFlush | null = null
  for (const flush of items) {
    for (const point of pointsOf(flush)) {
      if (points.length === most) {
        // Made for a part and not for each flush: what was missing before can be a long list.
        yield { points, position: shown === null ? before : before.until(after, shown.generation) }
        points = []
      }
      points.push(point)
    }
    shown = flush
  }
  if (points.length > 0 || items.length === 0) yield { points, position: after }
}

function* pointsOf({ runs }: StoredFlush): Generator<StoredPoint> {
  for (const { series, columns } of runs) {
    for (let place = 0; place < columns.at.length; place++)
      yield { series, at: columns.at[place] ?? 0, value: cellAt(columns.values, place) }
  }
}
