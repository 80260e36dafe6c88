import { KINDS } from '../../../datapoints/chunks/flush.ts'
import type { ValueKind } from '../../../records/values/value.ts'
import { BYTEA, INT4, INT8, nullable, oneOf, TEXT, UUID } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { RecordKey } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { ERASED, erasedOf } from '../erased-ranges.ts'
import { cursorRows } from '../../cursor-rows.ts'
import { fromLines, toLines } from '../../lines.ts'
import { hidden } from '../../narrowest.ts'

/** The values of one kind that are stored under a characteristic. */
export interface ValuesOf {
  /** The key of the characteristic. */
  readonly key: string
  readonly kind: ValueKind
}

export interface FoldedValuesOf extends ValuesOf {
  /** Tells whether summaries may be enough. Points are then read only on demand (`fetchPointsOfChunks`). */
  readonly bySummary: boolean
}

const SERIES_ORIGIN = {
  /** The key of the characteristic. */
  key: TEXT,
  characteristicUuid: UUID,
  seriesId: INT8,
  kind: oneOf(KINDS),
  systemUuid: UUID,
  componentUuid: UUID,
  erased: ERASED,
}

/** The series to which a point or a chunk belongs. */
export type SeriesOrigin = RowOf<typeof SERIES_ORIGIN>

const CHUNK_OF_SERIES = {
  ...SERIES_ORIGIN,
  /** Microseconds since 1970. */
  t0: INT8,
  t1: INT8,
  generation: INT8,
  count: INT4,
  /** The size of the points in bytes. */
  bytes: INT4,
  summary: BYTEA,
  points: nullable(BYTEA),
}
export type StoredChunkOf = RowOf<typeof CHUNK_OF_SERIES>

const ORIGIN = `wanted.key, s.characteristic_uuid as "characteristicUuid", s.id as "seriesId", s.value_kind as kind,
  s.system_uuid as "systemUuid", s.component_uuid as "componentUuid", ${erasedOf('s.id')} as erased`

const WANTED = `${fromLines('wanted', ['key', 'kind'], 2)} cross join lateral (
    select uuid from records where domain_id = $1 and type = '${DATA_TYPES.characteristic}' and key = wanted.key limit 1) r`
const OF_CHARACTERISTIC = 's.characteristic_uuid = r.uuid'
const SERIES = `${WANTED} join series s on s.domain_id = $1 and ${OF_CHARACTERISTIC} and s.value_kind = wanted.kind`
/** The same series, found by the index of their numbers. */
const NUMBERED = `${WANTED} join series s on s.domain_id = $1 and ${hidden(OF_CHARACTERISTIC)} and s.value_kind = wanted.kind`

/** The chunks of each fetch, which are in memory together: with points, and with summaries only. */
const CHUNKS_AT_ONCE = 40
const SUMMARIES_AT_ONCE = 1_000
/** A chunk with more bytes is returned without its points. */
const LONG = 262_144

const LATER_CHUNK = { ...SERIES_ORIGIN, t0: INT8, generation: INT8, points: nullable(BYTEA) }

/**
 * Reads the chunks of these characteristics with at least one point of a later flush than `after`. Other points of a
 * chunk may be older. It reads in batches, with a cursor that ends with the transaction. Long chunks are returned
 * without their points. PostgreSQL reads the keys of all chunks of these characteristics.
 */
export async function* readChunksOfAfter(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
  after: number,
): AsyncGenerator<RowOf<typeof LATER_CHUNK>[]> {
  await sql.query(
    `declare chunks_after no scroll cursor for
     select ${ORIGIN}, c.t0, c.generation, case when octet_length(c.points) <= ${LONG} then c.points end as points from ${SERIES}
     join datapoint_chunks c on c.domain_id = $1 and c.series_id = s.id and c.generation > $4
     where (select exists (select from datapoint_chunks any_one where any_one.domain_id = $1))`,
    [domainId, ...linesOf(values), after],
  )
  yield* cursorRows(sql, LATER_CHUNK, 'chunks_after', CHUNKS_AT_ONCE)
}

/** Returns the series of these values among some series numbers. */
export async function fetchOrigins(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
  seriesIds: readonly number[],
): Promise<SeriesOrigin[]> {
  if (seriesIds.length === 0) return []
  return sql.rows(SERIES_ORIGIN, `select ${ORIGIN} from ${NUMBERED} where s.id = any ($4::bigint[])`, [
    domainId,
    ...linesOf(values),
    seriesIds.map(String),
  ])
}

/** Tells whether a value was ever stored under one of these characteristics. Other records have no values. */
export async function haveSeries(sql: Sql, domainId: number, records: readonly RecordKey[]): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from records r
     where r.domain_id = $1 and r.type = '${DATA_TYPES.characteristic}' and r.key = any ($2::text[])
       and exists (select from series s where s.domain_id = $1 and ${OF_CHARACTERISTIC}) limit 1`,
    [domainId, records.flatMap(({ type, key }) => (type === DATA_TYPES.characteristic ? [key] : []))],
  )
  return rows.length > 0
}

const HOT_DIRECTORY = { first: INT8, last: INT8, series: BYTEA }

/** The directory of a segment, and its first and last series. */
export type HotDirectory = RowOf<typeof HOT_DIRECTORY>

/** Reads the directories of hot flushes after a number. The transaction must hold the lock of hot points. */
export async function fetchAllHotDirectories(sql: Sql, domainId: number, after: number): Promise<HotDirectory[]> {
  return sql.rows(
    HOT_DIRECTORY,
    `select series_lo as first, series_hi as last, series from datapoints_hot where domain_id = $1 and generation > $2`,
    [domainId, after],
  )
}

const BLOCK_OF_VALUES = { block: INT8, series: BYTEA, points: BYTEA }

/** A row of a block that may have some of these values. */
export type StoredBlockOf = RowOf<typeof BLOCK_OF_VALUES>

/**
 * Begins to read the blocks of this moment, in ascending order. Points move from blocks to chunks, so chunks must be
 * read later: then no point is missed, but some may be seen twice.
 */
export async function beginBlockValues(sql: Sql, domainId: number, values: readonly ValuesOf[]): Promise<void> {
  await sql.query(
    `declare block_values no scroll cursor for
     select b.block, b.series, b.points from datapoint_blocks b
     where b.domain_id = $1 and b.block in (select s.id >> 8 from ${SERIES}) order by b.block`,
    [domainId, ...linesOf(values)],
  )
}

/** The rows of blocks of each fetch. */
const ROWS_AT_ONCE = 16

/** Reads the blocks after `beginBlockValues` or `beginBlocksBefore`. */
export async function* fetchBlockValues(sql: Sql): AsyncGenerator<StoredBlockOf> {
  for await (const rows of cursorRows(sql, BLOCK_OF_VALUES, 'block_values', ROWS_AT_ONCE)) yield* rows
}

/** Returns the series of these values with numbers from `from` on and below `to`. */
export async function fetchOriginsBetween(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<SeriesOrigin[]> {
  return sql.rows(SERIES_ORIGIN, `select ${ORIGIN} from ${NUMBERED} where s.id >= $4 and s.id < $5`, [
    domainId,
    ...linesOf(values),
    from,
    to,
  ])
}

/** Reads all chunks of these values, series by series, oldest first, with a cursor that ends with the transaction. */
export async function* readFoldedValues(
  sql: Sql,
  domainId: number,
  values: readonly FoldedValuesOf[],
): AsyncGenerator<StoredChunkOf[]> {
  await sql.query(
    `declare folded_values no scroll cursor for
     select ${ORIGIN}, c.t0, c.t1, c.generation, c.count, octet_length(c.points) as bytes, c.summary,
       case when wanted.key = any ($4::text[]) or octet_length(c.points) > ${LONG} then null else c.points end as points
     from ${SERIES}
     join datapoint_chunks c on c.domain_id = $1 and c.series_id = s.id
     order by s.id, c.t0, c.generation`,
    [domainId, ...linesOf(values), values.flatMap(({ key, bySummary }) => (bySummary ? [key] : []))],
  )
  const most = values.every(({ bySummary }) => bySummary) ? SUMMARIES_AT_ONCE : CHUNKS_AT_ONCE
  yield* cursorRows(sql, CHUNK_OF_SERIES, 'folded_values', most)
}

type ChunkKey = Pick<StoredChunkOf, 'seriesId' | 't0' | 'generation'>

/** The error if chunks were merged after they were found, so that their keys no longer exist. */
export class MergedMeanwhile extends HoldfastError {
  constructor() {
    super('UNAVAILABLE', 'datapoints were merged while they were read; try again')
  }
}

/** Reads the points of these chunks, in the same order. */
export async function fetchPointsOfChunks(
  sql: Sql,
  domainId: number,
  chunks: readonly ChunkKey[],
): Promise<Uint8Array[]> {
  if (chunks.length === 0) return []
  const rows = await sql.rows(
    { points: BYTEA },
    `select c.points from unnest($2::bigint[], $3::bigint[], $4::bigint[]) with ordinality
       wanted (series_id, t0, generation, place)
     join datapoint_chunks c on c.domain_id = $1 and c.series_id = wanted.series_id and c.t0 = wanted.t0
       and c.generation = wanted.generation
     order by wanted.place`,
    [
      domainId,
      chunks.map(({ seriesId }) => String(seriesId)),
      chunks.map(({ t0 }) => String(t0)),
      chunks.map(({ generation }) => String(generation)),
    ],
  )
  // Within one snapshot no chunk can be missing. Under the lock of a domain, a chunk can be merged meanwhile.
  if (rows.length !== chunks.length) throw new MergedMeanwhile()
  return rows.map(({ points }) => points)
}

function linesOf(values: readonly ValuesOf[]): string[] {
  return [toLines(values.map(({ key }) => key)), toLines(values.map(({ kind }) => kind))]
}
