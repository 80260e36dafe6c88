import { INT4, INT8, nullable, oneOf, TEXT, TIMESTAMPTZ, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import { KINDS } from '../../datapoints/chunks/flush.ts'
import { isUuid } from '../../lib/uuid.ts'
import { RETENTION } from '../../records/entities.ts'
import type { Stored } from '../../records/entity.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { namedRecords } from '../model/records.ts'
import { cursorRows } from '../cursor-rows.ts'
import { selectEntities } from '../entities.ts'
import type { Reading } from '../entity-columns.ts'
import { ERASED, erasedOf } from './erased-ranges.ts'
import { beginOfMonth } from '../../datapoints/chunks/chunk-partition.ts'
import { HOT_COLUMNS, HOT_SEGMENT, readableSegments } from './points/hot-segments.ts'
import type { StoredSegment } from './points/points.ts'

/** The UUID for all characteristics without a retention of their own, because a key cannot be null. */
const ALL_OTHERS = '00000000-0000-0000-0000-000000000000'
const CHARACTERISTIC = `nullif(e.characteristic_uuid, '${ALL_OTHERS}')`

/** If the characteristic is null, the retention applies to all characteristics without their own retention. */
export type StoredRetention = Stored<typeof RETENTION>

export type Kept = Pick<StoredRetention, 'characteristicUuid' | 'keep'>

export async function fetchKept(sql: Sql, domainId: number): Promise<(Kept & Pick<StoredRetention, 'changedAt'>)[]> {
  return sql.rows(
    { characteristicUuid: nullable(UUID), keep: nullable(TEXT), changedAt: TIMESTAMPTZ },
    `select ${CHARACTERISTIC} as "characteristicUuid", e.keep, e.changed_at as "changedAt"
     from retentions e where e.domain_id = $1 order by e.characteristic_uuid`,
    [domainId],
  )
}

const READING: Reading = { expressions: { characteristicUuid: CHARACTERISTIC } }

/**
 * Reads the retention of the domain, and then the retentions of characteristics by key. It leaves out retentions of
 * characteristics that no longer exist.
 */
export function fetchRetentions(sql: Sql, domainId: number): Promise<StoredRetention[]> {
  return selectEntities(sql, RETENTION, {
    rest: `where e.domain_id = $1 and (e.characteristic_uuid = '${ALL_OTHERS}' or characteristic.uuid is not null)
     order by characteristic.key nulls first`,
    values: [domainId],
    reading: READING,
  })
}

interface WrittenRetention extends Kept {
  readonly changedBy: string
  readonly changedAt: Date
}

export async function saveRetention(sql: Sql, domainId: number, retention: WrittenRetention): Promise<void> {
  const { characteristicUuid, keep, changedBy, changedAt } = retention
  await sql.query(
    `insert into retentions (domain_id, characteristic_uuid, keep, actor, changed_at)
     values ($1, $2::uuid, $3, $4, $5::timestamptz)
     on conflict (domain_id, characteristic_uuid) do update
       set keep = excluded.keep, actor = excluded.actor, changed_at = excluded.changed_at`,
    [domainId, characteristicUuid ?? ALL_OTHERS, keep, changedBy, changedAt.toISOString()],
  )
}

export async function deleteRetention(sql: Sql, domainId: number, characteristicUuid: string): Promise<void> {
  await sql.query(`delete from retentions where domain_id = $1 and characteristic_uuid = $2::uuid`, [
    domainId,
    characteristicUuid,
  ])
}

const CHARACTERISTIC_NAME = { uuid: UUID, key: TEXT }

export type FoundCharacteristic = RowOf<typeof CHARACTERISTIC_NAME>

/** Finds a characteristic by its UUID or its key. */
export async function findCharacteristic(
  sql: Sql,
  domainId: number,
  name: string,
): Promise<FoundCharacteristic | undefined> {
  const [found] = await sql.rows(
    CHARACTERISTIC_NAME,
    namedRecords({ type: DATA_TYPES.characteristic, names: '$2', uuids: '$3' }, 'r.uuid, r.key'),
    [domainId, [name], isUuid(name) ? [name] : []],
  )
  return found
}

/** The points of a characteristic from `from` on and before `to`, in microseconds since 1970. */
export interface RangeOfCharacteristic {
  /** Null for all characteristics without a range of their own. */
  readonly characteristicUuid: string | null
  readonly from: number
  readonly to: number
}

const SERIES = { seriesId: INT8, characteristicUuid: UUID, erased: ERASED }

const SELECT_SERIES = `select s.id as "seriesId", s.characteristic_uuid as "characteristicUuid", ${erasedOf('s.id')} as erased
     from series s`

export type SeriesOfCharacteristic = RowOf<typeof SERIES>

export const CHUNK_OF_RANGE = {
  ...SERIES,
  kind: oneOf(KINDS),
  t0: INT8,
  t1: INT8,
  generation: INT8,
  count: INT4,
  bytes: INT4,
}

export type ChunkOfRange = RowOf<typeof CHUNK_OF_RANGE>

/** The chunks of each fetch, without their points. */
export const CHUNKS_AT_ONCE = 1_000

/** Finds chunks with points in the ranges, by series, oldest first, by a cursor that ends with the transaction. */
export async function* readChunksOfRanges(
  sql: Sql,
  domainId: number,
  ranges: readonly RangeOfCharacteristic[],
): AsyncGenerator<ChunkOfRange[]> {
  const named = ranges.filter(({ characteristicUuid }) => characteristicUuid !== null)
  const others = ranges.find(({ characteristicUuid }) => characteristicUuid === null)
  await sql.query(
    `declare chunks_of_ranges no scroll cursor for
     select s.id as "seriesId", s.characteristic_uuid as "characteristicUuid", s.value_kind as kind,
       ${erasedOf('s.id')} as erased, c.t0, c.t1, c.generation, c.count, c.bytes
     from series s
     left join unnest($2::uuid[], $3::bigint[], $4::bigint[]) own (uuid, since, until) on own.uuid = s.characteristic_uuid
     cross join lateral (
       select t0, t1, generation, count, octet_length(points) as bytes from datapoint_chunks
       where domain_id = $1 and series_id = s.id and t0 < coalesce(own.until, $6::bigint)
         and t1 + 0 >= coalesce(own.since, $5::bigint) offset 0) c
     where s.domain_id = $1 and coalesce(own.since, $5::bigint) < coalesce(own.until, $6::bigint)
     order by s.id, c.t0, c.generation`,
    [
      domainId,
      named.map(({ characteristicUuid }) => characteristicUuid ?? ''),
      named.map(({ from }) => String(from)),
      named.map(({ to }) => String(to)),
      others?.from ?? 0,
      others?.to ?? 0,
    ],
  )
  yield* cursorRows(sql, CHUNK_OF_RANGE, 'chunks_of_ranges', CHUNKS_AT_ONCE)
}

/** Reads the hot segments with points before a time. The transaction must have called `holdHotPoints`. */
export async function fetchHotBefore(sql: Sql, domainId: number, before: number): Promise<StoredSegment[]> {
  return readableSegments(
    await sql.rows(HOT_SEGMENT, `select ${HOT_COLUMNS} from datapoints_hot h where h.domain_id = $1 and h.t0 < $2`, [
      domainId,
      before,
    ]),
  )
}

/** Begins to read the rows of blocks with points before a time. `fetchBlockValues` returns the rows. */
export async function beginBlocksBefore(sql: Sql, domainId: number, before: number): Promise<void> {
  await sql.query(
    `declare block_values no scroll cursor for
     select block, series, points from datapoint_blocks where domain_id = $1 and t0 < $2 order by block`,
    [domainId, before],
  )
}

/** Reads at most `limit` series with numbers above `after`, in ascending order. */
export async function fetchSeriesAfter(
  sql: Sql,
  domainId: number,
  after: number,
  limit: number,
): Promise<SeriesOfCharacteristic[]> {
  return sql.rows(SERIES, `${SELECT_SERIES} where s.domain_id = $1 and s.id > $2 order by s.id limit $3`, [
    domainId,
    after,
    limit,
  ])
}

/** Returns the given series that exist. */
export async function fetchSeriesAmong(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
): Promise<SeriesOfCharacteristic[]> {
  if (seriesIds.length === 0) return []
  return sql.rows(SERIES, `${SELECT_SERIES} where s.domain_id = $1 and s.id = any ($2::bigint[])`, [
    domainId,
    seriesIds.map(String),
  ])
}

/** Returns the series with numbers from `from` on and below `to`. */
export async function fetchSeriesBetween(
  sql: Sql,
  domainId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<SeriesOfCharacteristic[]> {
  return sql.rows(SERIES, `${SELECT_SERIES} where s.domain_id = $1 and s.id >= $2 and s.id < $3`, [domainId, from, to])
}

/** A series, and the time before which its chunks must end to be deleted. */
export interface SeriesLimit {
  readonly seriesId: number
  readonly before: number
}

/** Finds the beginning of the first chunk to delete; undefined if there is none. */
export async function findFirstExpired(
  sql: Sql,
  domainId: number,
  limits: readonly SeriesLimit[],
): Promise<number | undefined> {
  const [row] = await sql.rows(
    { first: nullable(INT8) },
    `select min(c.t0) as first from unnest($2::bigint[], $3::bigint[]) wanted (id, until) cross join lateral (
       select t0 from datapoint_chunks
       where domain_id = $1 and series_id = wanted.id and t0 < wanted.until and t1 < wanted.until order by t0 limit 1) c`,
    [domainId, ...columnsOf(limits)],
  )
  return row?.first ?? undefined
}

/**
 * Deletes at most `most` expired chunks of one month, and returns how many it deleted. It skips chunks that are being
 * merged, so that it never waits. A month is in one partition, so a `ctid` identifies one row.
 */
export async function deleteExpired(
  sql: Sql,
  domainId: number,
  limits: readonly SeriesLimit[],
  month: number,
  most: number,
): Promise<number> {
  const [row] = await sql.rows(
    { deleted: INT8 },
    `with gone as (
       delete from datapoint_chunks where domain_id = $1 and t0 >= $4 and t0 < $5 and ctid = any (array(
         select c.place from unnest($2::bigint[], $3::bigint[]) wanted (id, until) cross join lateral (
           select ctid as place from datapoint_chunks
           where domain_id = $1 and series_id = wanted.id and t0 < wanted.until and t1 < wanted.until
             and t0 >= $4 and t0 < $5
           order by t0 limit $6 for update skip locked) c
         limit $6))
       returning 1)
     select count(*) as deleted from gone`,
    [domainId, ...columnsOf(limits), beginOfMonth(month), beginOfMonth(month + 1), most],
  )
  return row?.deleted ?? 0
}

function columnsOf(limits: readonly SeriesLimit[]): [string[], string[]] {
  return [limits.map(({ seriesId }) => String(seriesId)), limits.map(({ before }) => String(before))]
}
