import type { PackedFlush } from '../../../datapoints/segments/packed-flush.ts'
import { BYTEA, INT4, INT8, TEXT_ARRAY } from '../../../db/columns.ts'
import { DATABASE_SETTING } from '../../../db/database-identity.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { bufferTable } from '../packed/partitions.ts'

/** The versions that the points of a domain were checked by. */
export interface CheckedDomain {
  readonly domainId: number
  readonly modelVersion: number
  /** Null for a sender whose rights cannot be taken away. */
  readonly accessVersion: number | null
}

export interface Versions {
  /** `locked` where the model is being changed: nothing of the domain was stored. */
  readonly modelVersion: number | 'locked'
  readonly accessVersion: number
}

export interface Draw {
  /** Higher than that of every flush whose points were acknowledged before. */
  readonly generation: number
  /** The present versions of each domain. */
  readonly versions: ReadonlyMap<number, Versions>
}

/** A buffer of the database with this identity. */
export interface BufferOf {
  readonly buffer: number
  readonly identity: string
}

const STORED = { number: INT8, models: TEXT_ARRAY, accesses: TEXT_ARRAY }

/**
 * Stores a flush in one of the buffers, except for what was checked by other versions than the present ones. The domains
 * are in ascending order. Where the connection is to another database, in which series have other numbers, nothing is stored
 * and there is no answer.
 */
export async function storeFlush(
  database: Database,
  { buffer, identity }: BufferOf,
  domains: readonly CheckedDomain[],
  { pieces, body }: PackedFlush,
): Promise<Draw | null> {
  const places = new Map(domains.map(({ domainId }, index) => [domainId, index + 1]))
  const numbers = pieces.flatMap((piece) => [
    places.get(piece.domainId) ?? 0,
    piece.firstSeries,
    piece.lastSeries,
    piece.t0,
    piece.t1,
    piece.count,
    piece.at,
    piece.seriesBytes,
    piece.pointsBytes,
  ])
  const [row] = await database.rowsApart(
    STORED,
    `select number, models, accesses from store_flush($1, $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6)
     where current_setting('${DATABASE_SETTING}') = $7`,
    [
      buffer,
      domains.map(({ domainId }) => String(domainId)),
      domains.map(({ modelVersion }) => String(modelVersion)),
      domains.map(({ accessVersion }) => (accessVersion === null ? 'any' : String(accessVersion))),
      numbers.map(String),
      body,
      identity,
    ],
  )
  if (row === undefined) return null
  const versionsOf = (index: number): Versions => ({
    modelVersion: row.models[index] === 'locked' ? 'locked' : Number(row.models[index]),
    accessVersion: Number(row.accesses[index]),
  })
  return {
    generation: row.number,
    versions: new Map(domains.map(({ domainId }, index) => [domainId, versionsOf(index)])),
  }
}

const HOT_ROW = {
  domainId: INT8,
  generation: INT8,
  firstSeries: INT8,
  lastSeries: INT8,
  t0: INT8,
  t1: INT8,
  count: INT4,
  series: BYTEA,
  points: BYTEA,
}

/** A segment in a buffer. */
export type HotRow = RowOf<typeof HOT_ROW>

const SEGMENTS = { count: INT4, firstGeneration: INT8 }

/** The number of segments in a buffer, and the lowest generation of them; 0 where there are none. */
export async function countSegments(sql: Sql, buffer: number): Promise<RowOf<typeof SEGMENTS>> {
  const [row] = await sql.rows(
    SEGMENTS,
    `select count(*)::integer as count, coalesce(min(generation), 0) as "firstGeneration" from ${bufferTable(buffer)}`,
  )
  return row ?? { count: 0, firstGeneration: 0 }
}

/** Reads all rows of a buffer, some at a time, flush by flush. The cursor needs a transaction. */
export async function* readBuffer(sql: Sql, buffer: number): AsyncGenerator<HotRow[]> {
  await sql.query(
    `declare hot_rows no scroll cursor for
     select domain_id as "domainId", generation, series_lo as "firstSeries", series_hi as "lastSeries", t0, t1, count, series, points
     from ${bufferTable(buffer)} order by generation`,
  )
  for (;;) {
    const rows = await sql.rows(HOT_ROW, `fetch 1000 from hot_rows`)
    if (rows.length === 0) break
    yield rows
  }
  await sql.query(`close hot_rows`)
}
