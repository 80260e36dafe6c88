import { INT4, INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'

const CHUNK_START = {
  t0: INT8,
  count: INT4,
  /** The bytes of its points as they are stored. */
  bytes: INT4,
}

export type ChunkStart = RowOf<typeof CHUNK_START>

/**
 * The chunks of a series that begin at `from` or after it and before `to`, in the order asked for; no more than
 * `limit`.
 */
export async function fetchChunkStarts(
  sql: Sql,
  domainId: number,
  seriesId: number,
  { from, to, isNewestFirst }: { readonly from: number; readonly to: number; readonly isNewestFirst: boolean },
  limit: number,
): Promise<ChunkStart[]> {
  return sql.rows(
    CHUNK_START,
    `select t0, count, octet_length(points) as bytes from datapoint_chunks
     where domain_id = $1 and series_id = (select s.id from series s where s.domain_id = $1 and s.id = $2) and t0 >= $3 and t0 < $4
     order by t0 ${isNewestFirst ? 'desc' : 'asc'} limit $5`,
    [domainId, seriesId, from, to, limit],
  )
}
