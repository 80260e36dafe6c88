import type { PointReader, SeriesReference } from './stored/point-reader.ts'
import { END_OF_TIME, type ReadingQuery } from './reading-query.ts'

// Buckets and curves without an end reach to now. What another server has stored with a clock that is ahead of this one's is
// shown all the same: then they reach to the last point.

/** The time before which a query needs all points. */
export function momentOf(query: ReadingQuery): number {
  return isOpen(query) ? END_OF_TIME : query.to
}

/** The query with its end behind the last point of these series, where it has none and that is later. */
export async function withEnd<Query extends ReadingQuery>(
  reader: PointReader,
  series: readonly SeriesReference[],
  query: Query,
): Promise<Query> {
  if (!isOpen(query)) return query
  // Their times alone matter.
  const latest = await reader.latest(series, END_OF_TIME, 0)
  const to = [...latest.values()].reduce((end, { at }) => Math.max(end, at + 1), query.to)
  return { ...query, to }
}

function isOpen(query: ReadingQuery): boolean {
  return query.form !== 'page' && query.isOpen === true
}
