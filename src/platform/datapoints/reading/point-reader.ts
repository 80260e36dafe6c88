import type { Before, Columns } from '../../../datapoints/chunks/columns.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'

export type PointOrder = 'oldest first' | 'newest first'

/** What is read: at `from` or after it, and before `to`; microseconds since 1970. */
export interface PointRange {
  readonly from: number
  readonly to: number
  readonly order: PointOrder
  /** No more than this many of each series. The reader may give more where that is easier for it. */
  readonly limit?: number
}

export interface SeriesPart {
  readonly seriesId: number
  /** Oldest first, whatever the order of the parts is. Never empty. */
  readonly columns: Columns
}

/** A series that is read. */
export interface SeriesReference {
  readonly seriesId: number
  readonly kind: ValueKind
  /** Nothing before this is kept (docs/decisions/0015), whether or not it has been deleted yet. Left out: all is. */
  readonly earliest?: number
}

/**
 * Stored points, of one domain. Of points with the same time only the one that was written last is given. Parts of one
 * series follow each other in the order asked for, without overlap; one series after the other.
 */
export interface PointReader {
  read(series: readonly SeriesReference[], range: PointRange): AsyncIterable<SeriesPart>
  /** The last point before a time, of each series that has one. */
  latest(series: readonly SeriesReference[], before: number): Promise<ReadonlyMap<number, Before>>
}
