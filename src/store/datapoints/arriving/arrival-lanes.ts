import { INT4, INT8 } from '../../../db/columns.ts'
import type { RowOf } from '../../../db/row-shape.ts'
import type { Database } from '../../../db/sql.ts'

// A process may give the times of arrival of its lane (src/datapoints/wire/timestamp.ts), all in microseconds since
// 1970. It reserves them before it gives them, so it does not matter which processes are alive or only slept, and what
// any clock says.

const RESERVED_TIMES = {
  lane: INT4,
  /** Later than all times of this lane that were ever reserved before. */
  from: INT8,
  /** The last time that is reserved. */
  to: INT8,
}

export type ReservedTimes = RowOf<typeof RESERVED_TIMES>

/**
 * Claims the lane that was used least of late, which is that of a process that is gone, where there is one. A living
 * process loses its lane by this, which costs it one statement and no time of arrival.
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

/** Reserves more times of the same lane; false where another process has it by now. */
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
