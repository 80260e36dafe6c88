import { INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import { DAY, MONTH, MOST_CHARACTERS } from '../../../datapoints/chunks/pack-series.ts'
import { BLOCKS_OF_SERIES, seriesNumbers } from '../points/points.ts'

const CHUNKS_OF_SERIES = {
  seriesId: INT8,
  /** The number of chunks, of their points, and of the characters that their texts can have at most. */
  chunks: INT8,
  points: INT8,
  characters: INT8,
}

export type ChunksOfSeries = RowOf<typeof CHUNKS_OF_SERIES>

const SIZE_OF_BLOCK = { block: INT8, rows: INT8, bytes: INT8 }

export type SizeOfBlock = RowOf<typeof SIZE_OF_BLOCK>

interface Range {
  /** Microseconds since 1970. */
  readonly from: number
  /** The range ends before this time. */
  readonly to: number
}

/** The maximum number of bytes that deflate unpacks from one byte (RFC 1951: 258 bytes from two bits). */
const MOST_OF_BYTE = 1_032

const SIZE_OF_CHUNK = `select count, case when count = 1 then octet_length(points)::int8 * ${MOST_OF_BYTE}
    else least(octet_length(points)::int8 * ${MOST_OF_BYTE}, ${MOST_CHARACTERS}) end as characters
  from datapoint_chunks where domain_id = $1 and series_id = s.id`

/**
 * Measures the chunks that overlap a range, for each series that has such chunks. All points of a chunk count, because
 * it is unpacked as a whole. For each series, it looks at `most` chunks that begin in the range, and at earlier ones of
 * the month.
 */
export function fetchChunksOfSeries(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  { from, to }: Range,
  most: number,
): Promise<ChunksOfSeries[]> {
  return sql.rows(
    CHUNKS_OF_SERIES,
    `select s.id as "seriesId", count(*) as chunks, sum(c.count)::int8 as points, sum(c.characters)::int8 as characters
     from series s cross join lateral (
       (${SIZE_OF_CHUNK} and t0 >= $3::bigint - $3::bigint % ${DAY} and t0 < $4 order by t0 limit $5)
       union all
       ${SIZE_OF_CHUNK} and span = 1 and t0 >= $3::bigint - ${MONTH} and t0 < $3::bigint - $3::bigint % ${DAY} and t1 + 0 >= $3) c
     where s.domain_id = $1 and s.id = any ($2::bigint[]) group by s.id`,
    [domainId, seriesNumbers(seriesIds), from, to, most],
  )
}

/** Measures the rows that overlap a range, for each block of some series. */
export function fetchSizesOfBlocks(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  { from, to }: Range,
): Promise<SizeOfBlock[]> {
  return sql.rows(
    SIZE_OF_BLOCK,
    `select b.block, count(*) as rows, sum(octet_length(b.series) + octet_length(b.points))::int8 as bytes
     ${BLOCKS_OF_SERIES} group by b.block`,
    [domainId, seriesNumbers(seriesIds), from, to],
  )
}
