import { BOOL, INT8, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { acrossDomains, isOfDomains, valuesOf } from '../across-domains.ts'
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

// Changes due setpoints in the background.

/** A value that a device reports. */
export interface ReportedValue extends Omit<SetpointSeries, 'systemUuid'> {
  readonly domainId: number
  /** JSON text, as in a setpoint. */
  readonly value: string
  /** The last time at which the device reported it; microseconds since 1970. */
  readonly at: number
}

export interface AppliedReports {
  readonly hasChanged: boolean
  /** The values whose setpoints are locked by another transaction. */
  readonly locked: readonly ReportedValue[]
}

const REPORTED = { uuid: UUID, place: INT8 }
const APPLIED = { uuid: UUID, isApplied: BOOL }

/**
 * Changes setpoints of a domain to APPLIED if their device reports the wanted value. It waits for no other transaction.
 * The search is a single statement, because it runs often and mostly finds nothing. For the same reason, it looks up each
 * series separately (`limit`).
 */
export async function applyReported(
  database: Database,
  domainId: number,
  reported: readonly ReportedValue[],
  now: Date,
): Promise<AppliedReports> {
  const found = await database.rows(
    REPORTED,
    `select one.uuid, wanted.place::int8 as place
     from ${fromLines('wanted', [...SERIES_COLUMNS, 'value', 'at', 'place'], 2)}
     cross join lateral (
       select e.* from setpoints e where e.domain_id = $1 and ${OF_SERIES} and ${UNFINISHED} limit 1) one
     where one.value = wanted.value and least(one.set_at, one.created_at) <= ${instant('wanted.at')}`,
    [
      domainId,
      ...seriesLines(reported.map((one) => ({ ...one, systemUuid: '' }))),
      toLines(reported.map(({ value }) => value)),
      toLines(reported.map(({ at }) => String(at))),
      toLines(reported.map((_, place) => String(place))),
    ],
  )
  if (found.length === 0) return { hasChanged: false, locked: [] }
  const left = new Set<string>()
  const uuids = found.map(({ uuid }) => uuid)
  const changed = await changeWithin(database, domainId, async (sql) => {
    const due = await applyFree(sql, domainId, uuids, now)
    for (const { uuid, isApplied } of due) if (!isApplied) left.add(uuid)
    return noteSetpoints(
      sql,
      domainId,
      due.filter(({ isApplied }) => isApplied),
    )
  })
  const locked = found.filter(({ uuid }) => left.has(uuid)).flatMap(({ place }) => reported[place] ?? [])
  return { hasChanged: changed > 0, locked }
}

/** Changes the setpoints that are still due and not locked to APPLIED. Returns all that are due. */
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

/** Lists the domains with expired setpoints that are not marked yet. */
export async function listDomainsWithExpired(database: Database, now: Date): Promise<number[]> {
  const rows = await acrossDomains(database, null, (domains) =>
    database.rows(
      { id: INT8 },
      `select distinct e.domain_id as id from setpoints e
       where ${isExpired('$1')} and ${isOfDomains(domains, 'e.domain_id', '$2')} order by 1`,
      [now.toISOString(), ...valuesOf(domains)],
    ),
  )
  return rows.map(({ id }) => id)
}

/**
 * Marks at most `most` setpoints of a domain as expired, and returns how many. Locked setpoints are skipped before they
 * are counted, so that they cannot block others.
 */
export function writeExpired(database: Database, domainId: number, now: Date, most: number): Promise<number> {
  return changeWithin(database, domainId, async (sql) => {
    const expired = await sql.rows(
      CHANGED,
      `with locked as (
         select e.uuid from setpoints e where e.domain_id = $1 and ${isExpired('$2')} limit $3 for update skip locked
       )
       update setpoints e set state = 'EXPIRED', changed_at = e.expires_at
       from locked where e.domain_id = $1 and e.uuid = locked.uuid returning e.uuid`,
      [domainId, now.toISOString(), most],
    )
    await noteSetpoints(sql, domainId, expired)
    return expired.length
  })
}

function changeWithin<T>(database: Database, domainId: number, change: (sql: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (sql) => {
    await enterDomain(sql, domainId, database)
    return change(sql)
  })
}
