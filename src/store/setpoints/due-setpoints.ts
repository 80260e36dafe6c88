import { BOOL, INT8, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { enterDomain } from '../domains.ts'
import { fromLines, toLines } from '../lines.ts'
import { instant } from '../sql-times.ts'
import {
  CHANGED,
  noteSetpoints,
  isExpired,
  UNFINISHED,
  type SetpointSeries,
  OF_SERIES,
  SERIES_COLUMNS,
  seriesLines,
} from './setpoints.ts'

// Changes due setpoints of all domains in the background.

const CHANGED_ANYWHERE = { domainId: INT8, uuid: UUID }

/** A value that a device reports. */
export interface ReportedValue extends Omit<SetpointSeries, 'systemUuid'> {
  readonly domainId: number
  /** JSON text, as in a setpoint. */
  readonly value: string
  /** The last time at which the device reported it; microseconds since 1970. */
  readonly at: number
}

export interface AppliedReports {
  /** The domains with changed setpoints. */
  readonly domainIds: readonly number[]
  /** The values whose setpoints are locked by another transaction. */
  readonly locked: readonly ReportedValue[]
}

const REPORTED = { ...CHANGED_ANYWHERE, place: INT8 }
const APPLIED = { uuid: UUID, isApplied: BOOL }

/**
 * Changes setpoints to APPLIED if their device reports the wanted value. It waits for no other transaction. One
 * statement searches all domains, because it runs often and mostly finds nothing. For the same reason, it looks up each
 * series separately (`limit`).
 */
export async function applyReported(
  database: Database,
  reported: readonly ReportedValue[],
  now: Date,
): Promise<AppliedReports> {
  const found = await database.rows(
    REPORTED,
    `select one.domain_id as "domainId", one.uuid, wanted.place::int8 as place
     from ${fromLines('wanted', ['domain', ...SERIES_COLUMNS, 'value', 'at', 'place'], 1)}
     cross join lateral (
       select e.* from setpoints e where e.domain_id = wanted.domain::int8 and ${OF_SERIES} and ${UNFINISHED} limit 1) one
     where one.value = wanted.value and least(one.set_at, one.created_at) <= ${instant('wanted.at')}`,
    [
      toLines(reported.map(({ domainId }) => String(domainId))),
      ...seriesLines(reported.map((one) => ({ ...one, systemUuid: '' }))),
      toLines(reported.map(({ value }) => value)),
      toLines(reported.map(({ at }) => String(at))),
      toLines(reported.map((_, place) => String(place))),
    ],
  )
  const left = new Set<string>()
  const domainIds = await changeByDomain(database, found, async (sql, domainId, uuids) => {
    const due = await applyFree(sql, domainId, uuids, now)
    for (const { uuid, isApplied } of due) if (!isApplied) left.add(uuid)
    return noteSetpoints(
      sql,
      domainId,
      due.filter(({ isApplied }) => isApplied),
    )
  })
  const locked = found.filter(({ uuid }) => left.has(uuid)).flatMap(({ place }) => reported[place] ?? [])
  return { domainIds, locked }
}

/** Changes those of these setpoints to APPLIED that are still due and not locked. Returns all that are due. */
async function applyFree(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  now: Date,
): Promise<RowOf<typeof APPLIED>[]> {
  const due = `e.domain_id = $1 and e.uuid = any ($2::uuid[]) and ${UNFINISHED} and not ${isExpired('$3')}`
  return sql.rows(
    APPLIED,
    `with free as (
       select e.uuid from setpoints e where ${due} order by e.uuid for update skip locked
     ), applied as (
       update setpoints e set state = 'APPLIED', changed_at = $3::timestamptz
       from free where e.domain_id = $1 and e.uuid = free.uuid returning e.uuid
     )
     select e.uuid, applied.uuid is not null as "isApplied"
     from setpoints e left join applied on applied.uuid = e.uuid where ${due}`,
    [domainId, uuids, now.toISOString()],
  )
}

/**
 * Marks at most `most` setpoints as expired. Locked setpoints are skipped before they are counted, so that they cannot
 * block others. Returns the number of marked setpoints, and the domains with changes.
 */
export async function writeExpired(
  database: Database,
  now: Date,
  most: number,
): Promise<{ readonly found: number; readonly domainIds: readonly number[] }> {
  const found = await database.rows(
    CHANGED_ANYWHERE,
    `select e.domain_id as "domainId", e.uuid from setpoints e where ${isExpired('$1')} limit $2 for update skip locked`,
    [now.toISOString(), most],
  )
  const domainIds = await changeByDomain(database, found, async (sql, domainId, uuids) => {
    const expired = await sql.rows(
      CHANGED,
      `with locked as (
         select e.uuid from setpoints e where e.domain_id = $1 and e.uuid = any ($2::uuid[]) and ${isExpired('$3')}
         order by e.uuid for update skip locked
       )
       update setpoints e set state = 'EXPIRED', changed_at = e.expires_at
       from locked where e.domain_id = $1 and e.uuid = locked.uuid returning e.uuid`,
      [domainId, uuids, now.toISOString()],
    )
    return noteSetpoints(sql, domainId, expired)
  })
  return { found: found.length, domainIds }
}

/** Runs one transaction per domain, and returns the domains with changes. */
async function changeByDomain(
  database: Database,
  found: readonly RowOf<typeof CHANGED_ANYWHERE>[],
  change: (sql: Sql, domainId: number, uuids: readonly string[]) => Promise<number>,
): Promise<readonly number[]> {
  const changed: number[] = []
  for (const [domainId, rows] of Map.groupBy(found, (one) => one.domainId)) {
    const uuids = rows.map(({ uuid }) => uuid)
    const number = await database.transaction(async (sql) => {
      await enterDomain(sql, domainId, database)
      return change(sql, domainId, uuids)
    })
    if (number > 0) changed.push(domainId)
  }
  return changed
}
