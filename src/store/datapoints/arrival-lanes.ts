import type { Database } from '../../db/sql.ts'

// Times of arrival that a process may give (src/datapoints/wire/arrival-time.ts); all times are microseconds since 1970. They
// are reserved before they are given, so it does not matter who is alive, who only slept, and what any clock says.

export interface ReservedTimes {
  readonly lane: number
  /** Later than all that were ever reserved of this lane before. */
  readonly from: number
  /** Up to here, and no further. */
  readonly to: number
}

/**
 * The lane that was used least of late: of a process that is gone, where there is one. From a living one it takes the
 * lane away, which costs that process one statement and nobody a time.
 */
export async function claimLane(
  database: Database,
  owner: string,
  now: number,
  ahead: number,
): Promise<ReservedTimes | null> {
  const claim = (condition: string) =>
    database.statement<ReservedTimes>(
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

/** More of the same lane; false where another process has it by now. */
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
