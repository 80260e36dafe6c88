import { MONTH } from '../../datapoints/chunks/pack-series.ts'
import type { Sql } from '../../db/sql.ts'
import { cursorRows } from '../cursor-rows.ts'
import { erasedOf } from './erased-ranges.ts'
import { BLOCKS_OF_SERIES, seriesNumbers } from './points/points.ts'
import { CHUNK_OF_RANGE, CHUNKS_AT_ONCE, type ChunkOfRange } from './retention.ts'

interface Range {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** Reads the chunks of some series that overlap a range, by series, oldest first, without their points. */
export async function* readChunksOfSeries(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  { from, to }: Range,
): AsyncGenerator<ChunkOfRange[]> {
  await sql.query(
    `declare chunks_of_series no scroll cursor for
     select s.id as "seriesId", s.characteristic_uuid as "characteristicUuid", s.value_kind as kind,
       ${erasedOf('s.id')} as erased, c.t0, c.t1, c.generation, c.count, c.bytes
     from series s cross join lateral (
       select t0, t1, generation, count, octet_length(points) as bytes from datapoint_chunks
       where domain_id = $1 and series_id = s.id and t0 < $4 and t0 > $3::bigint - ${MONTH} and t1 + 0 >= $3 offset 0) c
     where s.domain_id = $1 and s.id = any ($2::bigint[]) order by s.id, c.t0, c.generation`,
    [domainId, seriesNumbers(seriesIds), from, to],
  )
  yield* cursorRows(sql, CHUNK_OF_RANGE, 'chunks_of_series', CHUNKS_AT_ONCE)
}

/** Begins to read the rows of the blocks of some series that overlap a range. `fetchBlockValues` returns the rows. */
export async function beginBlocksOfSeries(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  { from, to }: Range,
): Promise<void> {
  await sql.query(
    `declare block_values no scroll cursor for select b.block, b.series, b.points ${BLOCKS_OF_SERIES} order by b.block`,
    [domainId, seriesNumbers(seriesIds), from, to],
  )
}
