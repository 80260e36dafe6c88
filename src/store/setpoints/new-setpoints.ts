import { DEFAULT_AHEAD_MICROSECONDS } from '../../datapoints/wire/timestamp.ts'
import { INT8 } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import { fromLines, toLines, uuidsIn } from '../lines.ts'
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

/** Locks components, so that no other transaction creates setpoints for them until this one ends. */
export async function lockComponents(sql: Sql, domainId: number, uuids: readonly string[]): Promise<void> {
  await sql.query(
    `select uuid from components where domain_id = $1 and uuid = any ($2::uuid[]) order by uuid for no key update`,
    [domainId, [...new Set(uuids)]],
  )
}

export interface NewSetpoint extends SetpointSeries {
  readonly uuid: string
  /** JSON text, in the form of the API. */
  readonly value: string
  /** SUPERSEDED if the same request contains a later setpoint of the same series. */
  readonly state: 'PENDING' | 'SUPERSEDED'
  /** Microseconds since 1970. */
  readonly setAt: number
}

/**
 * The indices of the setpoints that already exist: with the same series, value and time. A setpoint was created at most
 * as long before its time as times may be ahead, so the older ones of its component are not read.
 */
export async function findSentBefore(
  sql: Sql,
  domainId: number,
  wanted: readonly (Pick<NewSetpoint, 'value' | 'setAt'> & SetpointSeries & { readonly place: number })[],
): Promise<ReadonlySet<number>> {
  if (wanted.length === 0) return new Set()
  const rows = await sql.rows(
    { place: INT8 },
    `select wanted.place::int8 as place from ${fromLines('wanted', [...SERIES_COLUMNS, 'value', 'set_at', 'place'], 2)}
     where exists (select from setpoints e where e.domain_id = $1 and e.component_uuid = any (${uuidsIn('$2')}) and ${OF_SERIES} and e.value = wanted.value
       and e.created_at >= ${instant('$8')}
       and e.set_at = ${instant('wanted.set_at')})`,
    [
      domainId,
      ...seriesLines(wanted),
      toLines(wanted.map(({ value }) => value)),
      toLines(wanted.map(({ setAt }) => String(setAt))),
      toLines(wanted.map(({ place }) => String(place))),
      wanted.reduce((earliest, { setAt }) => Math.min(earliest, setAt), Infinity) - DEFAULT_AHEAD_MICROSECONDS,
    ],
  )
  return new Set(rows.map(({ place }) => place))
}

/** Supersedes the unfinished setpoints of these series, because newer ones follow. */
export async function supersedeSetpoints(
  sql: Sql,
  domainId: number,
  series: readonly SetpointSeries[],
  now: Date,
): Promise<void> {
  const superseded = await sql.rows(
    CHANGED,
    `with locked as (
       select e.uuid, ${isExpired('$2')} as expired from ${fromLines('wanted', SERIES_COLUMNS, 3)}
       join setpoints e on e.domain_id = $1 and e.component_uuid = any (${uuidsIn('$3')}) and ${OF_SERIES} and ${UNFINISHED} order by e.uuid for update of e
     )
     update setpoints e set state = case when locked.expired then 'EXPIRED' else 'SUPERSEDED' end,
       changed_at = case when locked.expired then e.expires_at else $2::timestamptz end
     from locked where e.domain_id = $1 and e.uuid = locked.uuid returning e.uuid`,
    [domainId, now.toISOString(), ...seriesLines(series)],
  )
  await noteSetpoints(sql, domainId, superseded)
}

interface MadeBy {
  readonly actor: string
  readonly now: Date
  readonly expiresAt: Date | null
}

/**
 * Inserts setpoints, and returns the number of the change. Unfinished setpoints of the same series must have been
 * superseded before.
 */
export async function insertSetpoints(
  sql: Sql,
  domainId: number,
  setpoints: readonly NewSetpoint[],
  { actor, now, expiresAt }: MadeBy,
): Promise<number> {
  const columns = ['uuid', 'system', ...SERIES_COLUMNS, 'value', 'state', 'set_at']
  const made = await sql.rows(
    CHANGED,
    `insert into setpoints (domain_id, uuid, system_uuid, unit_uuid, component_uuid, service_uuid, characteristic_uuid, value, state,
       actor, set_at, created_at, expires_at, changed_at)
     select $1, new.uuid::uuid, new.system::uuid, c.unit_uuid, c.uuid, new.service, new.characteristic,
       new.value, new.state, $2, ${instant('new.set_at')}, $3::timestamptz, $4::timestamptz, $3::timestamptz
     from ${fromLines('new', columns, 5)}
     cross join lateral (
       select uuid, unit_uuid from components where domain_id = $1 and uuid = new.component limit 1) c returning uuid`,
    [
      domainId,
      actor,
      now.toISOString(),
      expiresAt?.toISOString() ?? null,
      toLines(setpoints.map(({ uuid }) => uuid)),
      toLines(setpoints.map(({ systemUuid }) => systemUuid)),
      ...seriesLines(setpoints),
      toLines(setpoints.map(({ value }) => value)),
      toLines(setpoints.map(({ state }) => state)),
      toLines(setpoints.map(({ setAt }) => String(setAt))),
    ],
  )
  return noteSetpoints(sql, domainId, made)
}
