import { INT4, INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database } from '../../../db/sql.ts'

// A process assigns only times of arrival of its own lane (src/datapoints/wire/timestamp.ts), in microseconds since
// 1970. It reserves the times before it assigns them. So the times are unique even if a process sleeps or a clock is
// wrong.

const RESERVED_TIMES = {
  lane: INT4,
  /** The first reserved time. It is later than all earlier reservations of this lane. */
  from: INT8,
  /** The last reserved time. */
  to: INT8,
}

type ReservedTimes = RowOf<typeof RESERVED_TIMES>

/**
 * Claims the least recently used lane; if a process has ended, this is its lane. If a running process loses its lane,
 * it needs one more statement, but loses no time of arrival.
 */
export async function claimLane(
  database: Database,
  owner: string,
  now: number,
  ahead: number,
): Promise<ReservedTimes | null> {
  const claim = (condition: string) =>
    database.rows(
      RESERVED_TIMES,
      `with found as (
         select lane, reserved from arrival_lanes where ${condition} order by reserved, lane limit 1 for update skip locked)
       update arrival_lanes l set owner = $1::uuid, reserved = greatest(found.reserved, $2::bigint) + $3::bigint
       from found where l.lane = found.lane
       returning l.lane, greatest(found.reserved + 1, $2::bigint) as from, l.reserved as to`,
      [owner, now, ahead],
    )
  const [idle] = await claim('reserved < $2::bigint')
  if (idle !== undefined) return idle
  const [busy] = await claim('true')
  return busy ?? null
}

/** Reserves more times of the same lane; false if another process has claimed the lane. */
export async function extendLane(
  database: Database,
  owner: string,
  { lane, to }: Pick<ReservedTimes, 'lane' | 'to'>,
): Promise<boolean> {
  const rows = await database.statement(
    `update arrival_lanes set reserved = greatest(reserved, $3::bigint) where lane = $1 and owner = $2::uuid
     returning 1 as one`,
    [lane, owner, to],
  )
  return rows.length === 1
}
