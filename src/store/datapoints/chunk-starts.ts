import type { Sql } from '../../db/sql.ts'

export interface ChunkStart {
  readonly t0: number
  readonly count: number
}

/** Where the chunks of a series begin, at `from` or after it and before `to`, in the order asked for; no more than `limit`. */
export async function fetchChunkStarts(
  sql: Sql,
  domainId: number,
  seriesId: number,
  { from, to, isNewestFirst }: { readonly from: number; readonly to: number; readonly isNewestFirst: boolean },
  limit: number,
): Promise<ChunkStart[]> {
  return sql.query<ChunkStart>(
    `select t0, count from datapoint_chunks
     where domain_id = $1 and series_id = (select s.id from series s where s.domain_id = $1 and s.id = $2) and t0 >= $3 and t0 < $4
     order by t0 ${isNewestFirst ? 'desc' : 'asc'} limit $5`,
    [domainId, seriesId, from, to, limit],
  )
}
