import { BYTEA, INT8, nullable } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import { HoldfastError } from '../../../lib/errors.ts'

// All hot points are read by one statement, because they may be folded before the next one. They are folded within
// seconds, and can then be read in pieces.

/**
 * The maximum number of bytes of hot points that one reader may load into memory. The hot points of several servers can
 * have this many bytes.
 */
const MOST_BYTES = 134_217_728

export const HOT_SEGMENT = {
  generation: nullable(INT8),
  /** Both are null if all of these segments together have too many bytes. */
  series: nullable(BYTEA),
  points: nullable(BYTEA),
  /** The bytes of the points of all these segments, which PostgreSQL knows without reading them. */
  bytes: INT8,
}

const BYTES = 'sum(octet_length(h.points)) over ()'
const readable = (column: string): string => `case when ${BYTES} <= ${MOST_BYTES} then h.${column} end as ${column}`

/** SQL for the columns of `HOT_SEGMENT` of hot segments `h`. */
export const HOT_COLUMNS = `h.generation, ${readable('series')}, ${readable('points')}, (${BYTES})::int8 as bytes`

type HotSegment = RowOf<typeof HOT_SEGMENT>
/** A stored segment (`StoredSegment`). */
type ReadableSegment = Pick<HotSegment, 'generation'> & Record<'series' | 'points', Uint8Array>

/** Returns the segments; throws if they have too many bytes. */
export function readableSegments(rows: readonly HotSegment[]): ReadableSegment[] {
  refuseMuchHot(rows[0]?.bytes ?? 0)
  return rows.flatMap(({ generation, series, points }) =>
    series === null || points === null ? [] : [{ generation, series, points }],
  )
}

/** Throws if hot points have too many bytes. */
export function refuseMuchHot(bytes: number): void {
  if (bytes <= MOST_BYTES) return
  const [found, most] = [bytes, MOST_BYTES].map((count) => count.toLocaleString('en-US'))
  throw new HoldfastError(
    'UNAVAILABLE',
    `${found} bytes of these datapoints have just arrived and are not folded yet; at most ${most} bytes can be read before that; try again in a few seconds`,
  )
}
