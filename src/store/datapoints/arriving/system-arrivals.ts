import { BOOL, INT8, nullable, TEXT, TIMESTAMPTZ, UUID } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Sql } from '../../../db/sql.ts'
import { lockOfDomain } from '../../domains.ts'

/** The number of quarters of an hour that are kept for each system: a day. */
export const KEPT_QUARTERS = 96
export const QUARTER_MS = 900_000

/** The arrivals of a system since the last write. */
export interface CountedArrivals {
  readonly systemUuid: string
  /** The time of arrival of the last datapoint, in milliseconds since 1970. */
  readonly lastAt: number
  /** The latest quarter of an hour, as the number of quarters since 1970. */
  readonly quarter: number
  /** The number of datapoints in that quarter, and in each quarter before it. */
  readonly counts: readonly number[]
}

/**
 * Takes a lock so that servers count one after the other. Otherwise row locks could cause a deadlock. Returns the time
 * of the database under the lock, in milliseconds since 1970, so that later counts never have an earlier time.
 */
export async function lockArrivals(sql: Sql, domainId: number): Promise<number> {
  const [row] = await sql.rows(
    { line: TEXT, now: INT8 },
    `select line, floor(extract(epoch from clock_timestamp()) * 1000)::int8 as now
     from (${lockOfDomain("'arrivals of systems'")}) as locked`,
    [domainId],
  )
  if (row === undefined) throw new Error('a lock returned no row')
  return row.now
}

const NOW = `to_timestamp($3::int8 / 1000.0)`
const PRESENT = `($3::int8 / ${QUARTER_MS})`
/** The later quarter of both rows. The quarter of the new row is never in the future. */
const LATEST = `greatest(least(known.quarter, ${PRESENT}), excluded.quarter)`

/** SQL for the count of a row in the i-th quarter, counted back from the latest quarter of both rows. */
const countsOf = (row: string): string => `coalesce(${row}.counts[i - ${LATEST} + ${row}.quarter], 0)`

/**
 * Adds counts to the stored ones, under the lock. It ignores systems that no longer exist. Times in the future, from a
 * server with a wrong clock, become the time of the database, in new and in stored rows. Otherwise a system would not
 * count as silent until then.
 */
export async function addArrivals(
  sql: Sql,
  domainId: number,
  arrivals: readonly CountedArrivals[],
  now: number,
): Promise<void> {
  await sql.query(
    `insert into system_arrivals as known (domain_id, system_uuid, unit_uuid, last_at, quarter, counts)
     select system.domain_id, system.uuid, system.unit_uuid, least(to_timestamp(new."lastAt" / 1000.0), ${NOW}), least(new.quarter, ${PRESENT}), new.counts
     from jsonb_to_recordset($2::jsonb) as new ("systemUuid" uuid, "lastAt" int8, quarter int8, counts int8[])
     cross join lateral (
       select domain_id, uuid, unit_uuid from systems where domain_id = $1 and uuid = new."systemUuid" limit 1) system
     on conflict (domain_id, system_uuid) do update set unit_uuid = excluded.unit_uuid,
       last_at = greatest(least(known.last_at, ${NOW}), excluded.last_at), quarter = ${LATEST},
       counts = array(select ${countsOf('known')} + ${countsOf('excluded')}
         from generate_series(1, ${KEPT_QUARTERS}::int8) i)`,
    [domainId, JSON.stringify(arrivals), now],
  )
}

const ARRIVALS = { systemUuid: UUID, name: TEXT, lastAt: TIMESTAMPTZ, quarter: INT8, counts: TEXT }

export interface ArrivalsOfSystem extends Omit<RowOf<typeof ARRIVALS>, 'counts'> {
  /** The number of points of each quarter of an hour, the latest first. */
  readonly counts: readonly number[]
}

/** A range of times of the last arrival. `most` limits the systems; those with the latest arrivals come first. */
interface ArrivalRange {
  readonly from: Date
  readonly to: Date
  readonly most: number
}

/** Reads activated systems by the time of their last arrival. It uses an index, and reads at most `most` systems. */
export async function fetchArrivals(
  sql: Sql,
  domainId: number,
  { from, to, most }: ArrivalRange,
): Promise<ArrivalsOfSystem[]> {
  const rows = await sql.rows(
    ARRIVALS,
    `select a.system_uuid as "systemUuid", s.name, a.last_at as "lastAt", a.quarter, array_to_string(a.counts, ' ') as counts
     from system_arrivals a join systems s on s.domain_id = $1 and s.uuid = a.system_uuid and s.status = 'ACTIVATED'
     where a.domain_id = $1 and a.last_at >= $2::timestamptz and a.last_at < $3::timestamptz
     order by a.last_at desc limit $4`,
    [domainId, from.toISOString(), to.toISOString(), most],
  )
  return rows.map((row) => ({ ...row, counts: row.counts.split(' ').map(Number) }))
}

const SILENT = { count: INT8, hasMore: BOOL, first: nullable(TIMESTAMPTZ) }

export type SilentCount = RowOf<typeof SILENT>

/** Counts activated systems that sent datapoints before, but none since a moment. It counts up to `most`. */
export async function countSilent(sql: Sql, domainId: number, since: Date, most: number): Promise<SilentCount> {
  const [row] = await sql.rows(
    SILENT,
    `select least(count(*), $3)::int8 as count, count(*) > $3 as "hasMore", min(last_at) as first from (
       select a.last_at from system_arrivals a
       join systems s on s.domain_id = $1 and s.uuid = a.system_uuid and s.status = 'ACTIVATED'
       where a.domain_id = $1 and a.last_at < $2::timestamptz order by a.last_at desc limit $3 + 1) silent`,
    [domainId, since.toISOString(), most],
  )
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}

const NEVER_SENT = { count: INT8, hasMore: BOOL }

export type NeverSentCount = RowOf<typeof NEVER_SENT>

/** Counts activated systems that never sent a datapoint. It counts up to `most`. */
export async function countNeverSent(sql: Sql, domainId: number, most: number): Promise<NeverSentCount> {
  const [row] = await sql.rows(
    NEVER_SENT,
    `select least(count(*), $2)::int8 as count, count(*) > $2 as "hasMore" from (
       select from systems s where s.domain_id = $1 and s.status = 'ACTIVATED' and not exists (
         select from system_arrivals a where a.domain_id = $1 and a.system_uuid = s.uuid) limit $2 + 1) never`,
    [domainId, most],
  )
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}
