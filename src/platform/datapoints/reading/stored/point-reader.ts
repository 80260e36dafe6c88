import { mayBeErased, type Erased } from '../../../../datapoints/chunks/erased.ts'
import {
  type Before,
  cellAt,
  type Columns,
  lowerBound,
  shortenedCell,
  sliceColumns,
} from '../../../../datapoints/chunks/point-columns.ts'
import type { Stretch } from './divide-by-summaries.ts'
import type { Grain } from '../../../../store/datapoints/packed/chunk-summaries.ts'
import type { ValueKind } from '../../../../records/values/value.ts'

export type PointOrder = 'oldest first' | 'newest first'

/** The range to read: from `from` on and before `to`, in microseconds since 1970. */
export interface PointRange {
  readonly from: number
  readonly to: number
  readonly order: PointOrder
  /** The maximum number of points of each series that are needed. The reader may return more. */
  readonly limit?: number
}

export interface StretchRange {
  readonly from: number
  readonly to: number
  /** Ascending times that no summary crosses. The first is at or before `from`, the last at or after `to`. */
  readonly edges: Float64Array
  /** The length of the summaries. */
  readonly grain: Grain
}

export interface SeriesPart {
  readonly seriesId: number
  /** At least one point. Points are oldest first, even if the parts are in another order. */
  readonly columns: Columns
}

/** A series to be read. */
export interface SeriesReference {
  readonly seriesId: number
  readonly kind: ValueKind
  /**
   * The earliest time within the retention (docs/decisions/0015), whether or not older points are deleted; left out if
   * the retention is unlimited.
   */
  readonly earliest?: number
  /** Ranges whose points are deleted, whether or not they are still stored (docs/decisions/0074). */
  readonly erased?: Erased
}

/**
 * Reads the stored points of one domain. If several points have the same time, only the last written one is returned.
 * The parts of one series come in the requested order without overlap, one series after the other.
 */
export interface PointReader {
  read(series: readonly SeriesReference[], range: PointRange): AsyncIterable<SeriesPart>
  /** Stretches of a series in a range, oldest first, some at a time. Without summaries, only points. */
  stretches(series: SeriesReference, range: StretchRange): AsyncIterable<readonly Stretch[]>
  /** The last point before a time, for each series that has one. Texts are cut to `longest` characters, if given. */
  latest(series: readonly SeriesReference[], before: number, longest?: number): Promise<ReadonlyMap<number, Before>>
}

/**
 * Hides points beyond the retention, so that the time of their deletion does not matter. The readers of points leave out
 * erased points, and this finds the last points before them.
 */
export function keptPoints(reader: PointReader): PointReader {
  return {
    read: (series, range) => readKept(reader, series, range),
    async *stretches(series, range) {
      const from = Math.max(range.from, series.earliest ?? 0)
      if (from < range.to) yield* reader.stretches(series, { ...range, from })
    },
    async latest(series, before, longest) {
      const latest = await reader.latest(series, before, longest)
      const left = await withoutErasedOnes(reader, series, latest, longest)
      const isOld = ({ seriesId, earliest = 0 }: SeriesReference) => (left.get(seriesId)?.at ?? earliest) < earliest
      const old = new Set(series.filter(isOld).map(({ seriesId }) => seriesId))
      return old.size === 0 ? left : new Map([...left].filter(([seriesId]) => !old.has(seriesId)))
    },
  }
}

type LastPoints = ReadonlyMap<number, Before>

const HOUR = 3_600_000_000

/**
 * Replaces last points that may be deleted. It reads backwards in ranges that grow, for all series together: a deletion
 * hides the last points of up to 20,000 series at once.
 */
async function withoutErasedOnes(
  reader: PointReader,
  series: readonly SeriesReference[],
  latest: LastPoints,
  longest: number | undefined,
): Promise<LastPoints> {
  const timeOf = ({ seriesId }: SeriesReference) => latest.get(seriesId)?.at ?? -1
  let open = series.filter((one) => timeOf(one) >= 0 && mayBeErased(one.erased, timeOf(one), timeOf(one)))
  if (open.length === 0) return latest
  const left = new Map(latest)
  for (const { seriesId } of open) left.delete(seriesId)
  let to = open.reduce((last, one) => Math.max(last, timeOf(one)), 0) + 1
  for (let length = HOUR; open.length > 0 && to > 0; length *= 8) {
    const range = { from: Math.max(0, to - length), to, order: 'newest first' } as const
    for await (const { seriesId, columns } of readKept(reader, open, range)) {
      const last = columns.at.length - 1
      const at = columns.at[last]
      if (at !== undefined && !left.has(seriesId))
        left.set(seriesId, { at, value: shortenedCell(cellAt(columns.values, last), longest) })
    }
    open = open.filter(({ seriesId }) => !left.has(seriesId))
    to = range.from
  }
  return left
}

async function* readKept(
  reader: PointReader,
  series: readonly SeriesReference[],
  range: PointRange,
): AsyncGenerator<SeriesPart> {
  const begin = ({ earliest = 0 }: SeriesReference): number => Math.max(range.from, earliest)
  const kept = series.filter((one) => begin(one) < range.to)
  // A reader with a limit must not count expired points.
  const alike = range.limit === undefined ? [kept] : kept.map((one) => [one])
  for (const some of alike) {
    const begins = new Map(some.map((one) => [one.seriesId, begin(one)]))
    const from = begins.values().reduce((earliest, one) => Math.min(earliest, one), range.to)
    for await (const { seriesId, columns } of reader.read(some, { ...range, from })) {
      const start = lowerBound(columns.at, begins.get(seriesId) ?? from)
      if (start < columns.at.length) yield { seriesId, columns: sliceColumns(columns, start, columns.at.length) }
    }
  }
}
