import type { Before, Columns } from '../../../../datapoints/chunks/columns.ts'
import type { Stretch } from './divide-by-summaries.ts'
import type { Grain } from '../../../../store/datapoints/packed/chunk-summaries.ts'
import type { ValueKind } from '../../../../datapoints/rules/value.ts'

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
   * The earliest time that is kept (docs/decisions/0015), whether or not older points are deleted; left out where all
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
   * are kept; left out where all are.
   */
  latest(series: readonly SeriesReference[], before: number, longest?: number): Promise<ReadonlyMap<number, Before>>
}
