import { type Before, type Columns, lowerBound, sliceColumns } from '../../../../datapoints/chunks/point-columns.ts'
import type { Stretch } from './divide-by-summaries.ts'
import type { Grain } from '../../../../store/datapoints/packed/chunk-summaries.ts'
import type { ValueKind } from '../../../../records/values/value.ts'

export type PointOrder = 'oldest first' | 'newest first'

/** The range that is read: from `from` on and before `to`, in microseconds since 1970. */
export interface PointRange {
  readonly from: number
  readonly to: number
  readonly order: PointOrder
  /** The most points of each series that are needed. The reader may return more. */
  readonly limit?: number
}

export interface StretchRange {
  readonly from: number
  readonly to: number
  /** No summary goes on over one of these times, which ascend; the first is at or before `from`, the last at or after `to`. */
  readonly edges: Float64Array
  /** How fine the summaries are to be. */
  readonly grain: Grain
}

export interface SeriesPart {
  readonly seriesId: number
  /** Points, oldest first in every order of the parts, and at least one. */
  readonly columns: Columns
}

/** A series to be read. */
export interface SeriesReference {
  readonly seriesId: number
  readonly kind: ValueKind
  /**
   * The earliest time that is kept (docs/decisions/0015), whether or not older points are deleted; left out if all
   * are kept.
   */
  readonly earliest?: number
}

/**
 * Reads the stored points of one domain. Of points with the same time, only the last written one is returned. The
 * parts of one series come in the requested order without overlap, one series after the other.
 */
export interface PointReader {
  read(series: readonly SeriesReference[], range: PointRange): AsyncIterable<SeriesPart>
  /**
   * The stretches of a series in a range, oldest first, some at a time. A reader that has no summaries gives the points
   * alone.
   */
  stretches(series: SeriesReference, range: StretchRange): AsyncIterable<readonly Stretch[]>
  /**
   * The last point before a time, for each series that has one. Of a text with more than `longest` characters only so many
   * are kept; left out if all are.
   */
  latest(series: readonly SeriesReference[], before: number, longest?: number): Promise<ReadonlyMap<number, Before>>
}

/** Hides points that are not kept any more, so that the time of their deletion does not matter. */
export function keptPoints(reader: PointReader): PointReader {
  return {
    read: (series, range) => readKept(reader, series, range),
    async *stretches(series, range) {
      const from = Math.max(range.from, series.earliest ?? 0)
      if (from < range.to) yield* reader.stretches(series, { ...range, from })
    },
    async latest(series, before, longest) {
      const latest = await reader.latest(series, before, longest)
      const isOld = ({ seriesId, earliest = 0 }: SeriesReference) => (latest.get(seriesId)?.at ?? earliest) < earliest
      const old = new Set(series.filter(isOld).map(({ seriesId }) => seriesId))
      return old.size === 0 ? latest : new Map([...latest].filter(([seriesId]) => !old.has(seriesId)))
    },
  }
}

async function* readKept(
  reader: PointReader,
  series: readonly SeriesReference[],
  range: PointRange,
): AsyncGenerator<SeriesPart> {
  const begin = ({ earliest = 0 }: SeriesReference): number => Math.max(range.from, earliest)
  const kept = series.filter((one) => begin(one) < range.to)
  // A reader that was told how many points are needed must not count those that are not kept.
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
