import { cellAt, type Cell } from '../../datapoints/chunks/point-columns.ts'
import { textLength } from '../../lib/text-length.ts'
import type { SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import type { ReadableSeries } from '../datapoints/reading/series/readable-series.ts'
import { type Delivery, type PartSize, WEIGHT_OF_ROW, weightOfText } from './feed.ts'
import type { StoredFlush } from './flush-reader.ts'
import type { SeenFlushes } from './seen-flushes.ts'
import { isMeant } from './subscription-filter.ts'

export interface StoredPoint {
  readonly series: ReadableSeries
  readonly at: number
  readonly value: Exclude<Cell, null>
}

export interface ShownPart {
  readonly points: readonly StoredPoint[]
  /** The position after this part. A flush that continues in the next part does not count as seen. */
  readonly position: SeenFlushes
}

type Runs = StoredFlush['runs']
type Place = 'componentUuid' | 'systemUuid' | 'unitUuid'

/** The runs of a flush by component, system and unit, because each of many subscribers wants few of them. */
const RUNS: { readonly [place in Place]: WeakMap<StoredFlush, ReadonlyMap<string | null, Runs>> } = {
  componentUuid: new WeakMap(),
  systemUuid: new WeakMap(),
  unitUuid: new WeakMap(),
}

/** The runs of the named components, systems or units. There may be others among them. */
function runsOf(flush: StoredFlush, place: Place, names: readonly string[] = []): Runs {
  if (names.length === 0 || names.length >= flush.runs.length) return flush.runs
  const byName = RUNS[place].get(flush) ?? Map.groupBy(flush.runs, ({ series }) => series[place])
  RUNS[place].set(flush, byName)
  const found = [...new Set(names)].flatMap((name) => byName.get(name) ?? [])
  return found.sort((one, other) => (one.series.id ?? 0) - (other.series.id ?? 0))
}

/** The part of a flush that belongs to the series of a filter; null if there is none. */
export function flushOf(flush: StoredFlush, filter: SeriesFilter): StoredFlush | null {
  const { components, systems, units } = filter
  const some = components
    ? runsOf(flush, 'componentUuid', components)
    : systems
      ? runsOf(flush, 'systemUuid', systems)
      : runsOf(flush, 'unitUuid', units)
  const runs = some.filter(({ series }) => isSeriesMeant(series, filter))
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

/** The weight of a flush that waits for its reader. */
export function weightOf({ runs, count }: StoredFlush): number {
  const texts = runs.flatMap(({ columns: { values } }) => (Array.isArray(values) ? [textLength(values)] : []))
  return count + texts.reduce((sum, length) => sum + weightOfText(length), 0)
}

/** The weight of a flush that only one subscriber holds. It includes the runs of the flush, and most runs are short. */
export function weightAlone(flush: StoredFlush): number {
  return weightOf(flush) + flush.runs.length * WEIGHT_OF_ROW
}

/** Splits a delivery into parts; an empty delivery is one part. */
export function* partsOf(
  { items, before, after }: Delivery<SeenFlushes, StoredFlush>,
  most: PartSize,
): Generator<ShownPart, undefined> {
  let points: StoredPoint[] = []
  let text = 0
  let shown: StoredFlush | null = null
  for (const flush of items) {
    for (const point of pointsOf(flush)) {
      const length = typeof point.value === 'string' ? point.value.length : 0
      if (points.length === most.items || (points.length > 0 && text + length > most.text)) {
        // The position is made for each part instead of each flush, because the list of missing numbers can be long.
        yield { points, position: shown === null ? before : before.until(after, shown.generation) }
        points = []
        text = 0
      }
      points.push(point)
      text += length
    }
    shown = flush
  }
  if (points.length > 0 || items.length === 0) yield { points, position: after }
}

function* pointsOf({ runs }: StoredFlush): Generator<StoredPoint> {
  for (const { series, columns } of runs) {
    for (let index = 0; index < columns.at.length; index++)
      yield { series, at: columns.at[index] ?? 0, value: cellAt(columns.values, index) }
  }
}
