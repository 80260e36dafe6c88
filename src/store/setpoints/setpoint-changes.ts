import type { SetpointState } from '../../../generated/entities.ts'
import { isSetpointState } from '../../datapoints/setpoint-state.ts'
import { INT8, nullable, textOf, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { enterDomain } from '../domains.ts'
import { fromLines, toLines } from '../lines.ts'
import { noteChanges } from '../outbox.ts'
import { isExpired, stateAt, UNFINISHED, type SetpointSeries } from './setpoints.ts'
import { instant } from '../sql-times.ts'

// All statements that change setpoints lock them in the order of their uuids, so that no two transactions wait for each
// other. A transaction that makes new ones locks the components first: two at once would not see each other's
// setpoints.

const CHANGED = { uuid: UUID }
const CHANGED_ANYWHERE = { domainId: INT8, uuid: UUID }

/** Tells subscriptions, and gives the number of the note. */
function note(sql: Sql, domainId: number, changed: readonly RowOf<typeof CHANGED>[]): Promise<number> {
  return noteChanges(
    sql,
    domainId,
    'setpoints',
    changed.map(({ uuid }) => uuid),
  )
}

/** Keeps all other transactions from making setpoints of these components until this one ends. */
export async function lockComponents(sql: Sql, domainId: number, uuids: readonly string[]): Promise<void> {
  await sql.query(
    `select uuid from components where domain_id = $1 and uuid = any ($2::uuid[]) order by uuid for no key update`,
    [domainId, [...new Set(uuids)]],
  )
}

export interface NewSetpoint extends SetpointSeries {
  readonly uuid: string
  /** JSON text, as the API shows the value. */
  readonly value: string
  /** SUPERSEDED where a later one of the same series was sent along with it. */
  readonly state: 'PENDING' | 'SUPERSEDED'
  /** Microseconds since 1970. */
  readonly setAt: number
}

const SERIES_COLUMNS = ['component', 'service', 'characteristic']
const OF_SERIES = `e.component_uuid = wanted.component::uuid and e.service_uuid = wanted.service::uuid
  and e.characteristic_uuid = wanted.characteristic::uuid`

function seriesLines(series: readonly SetpointSeries[]): string[] {
  return [
    toLines(series.map(({ componentUuid }) => componentUuid)),
    toLines(series.map(({ serviceUuid }) => serviceUuid)),
    toLines(series.map(({ characteristicUuid }) => characteristicUuid)),
  ]
}

/** The places of those that were made before: of the same series, with the same value and time. */
export async function findSentBefore(
  sql: Sql,
  domainId: number,
  wanted: readonly (Pick<NewSetpoint, 'value' | 'setAt'> & SetpointSeries & { readonly place: number })[],
): Promise<ReadonlySet<number>> {
  if (wanted.length === 0) return new Set()
  const rows = await sql.rows(
    { place: INT8 },
    `select wanted.place::int8 as place from ${fromLines('wanted', [...SERIES_COLUMNS, 'value', 'set_at', 'place'], 2)}
     where exists (select from setpoints e where e.domain_id = $1 and ${OF_SERIES} and e.value = wanted.value
       and e.set_at = ${instant('wanted.set_at')})`,
    [
      domainId,
      ...seriesLines(wanted),
      toLines(wanted.map(({ value }) => value)),
      toLines(wanted.map(({ setAt }) => String(setAt))),
      toLines(wanted.map(({ place }) => String(place))),
    ],
  )
  return new Set(rows.map(({ place }) => place))
}

/** Ends the unfinished setpoints of these series, since newer ones come. */
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
       join setpoints e on e.domain_id = $1 and ${OF_SERIES} and ${UNFINISHED} order by e.uuid for update of e
     )
     update setpoints e set state = case when locked.expired then 'EXPIRED' else 'SUPERSEDED' end,
       changed_at = case when locked.expired then e.expires_at else $2::timestamptz end
     from locked where e.domain_id = $1 and e.uuid = locked.uuid returning e.uuid`,
    [domainId, now.toISOString(), ...seriesLines(series)],
  )
  await note(sql, domainId, superseded)
}

export interface MadeBy {
  readonly actor: string
  readonly now: Date
  readonly expiresAt: Date | null
}

/** Makes setpoints, and gives the number of this change. No unfinished one of the same series may be left. */
export async function insertSetpoints(
  sql: Sql,
  domainId: number,
  setpoints: readonly NewSetpoint[],
  { actor, now, expiresAt }: MadeBy,
): Promise<number> {
  const columns = ['uuid', 'system', ...SERIES_COLUMNS, 'value', 'state', 'set_at']
  const made = await sql.rows(
    CHANGED,
    `insert into setpoints (domain_id, uuid, shard_key, system_uuid, unit_uuid, component_uuid, service_uuid, characteristic_uuid, value, state,
       actor, set_at, created_at, expires_at, changed_at)
     select $1, new.uuid::uuid, c.shard_key, new.system::uuid, c.unit_uuid, c.uuid, new.service::uuid, new.characteristic::uuid,
       new.value, new.state, $2, ${instant('new.set_at')}, $3::timestamptz, $4::timestamptz, $3::timestamptz
     from ${fromLines('new', columns, 5)}
     join components c on c.domain_id = $1 and c.uuid = new.component::uuid returning uuid`,
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
  return note(sql, domainId, made)
}

/** Makes PENDING setpoints SENT. A setpoint in another state by now stays as it is. */
export async function markSent(sql: Sql, domainId: number, uuids: readonly string[], now: Date): Promise<void> {
  const sent = await sql.rows(
    CHANGED,
    `with locked as (
       select e.uuid from setpoints e
       where e.domain_id = $1 and e.uuid = any ($2::uuid[]) and e.state = 'PENDING' and not ${isExpired('$3')}
       order by e.uuid for update
     )
     update setpoints e set state = 'SENT', changed_at = $3::timestamptz
     from locked where e.domain_id = $1 and e.uuid = locked.uuid returning e.uuid`,
    [domainId, uuids, now.toISOString()],
  )
  await note(sql, domainId, sent)
}

const LOCKED = { uuid: UUID, systemUuid: UUID, unitUuid: nullable(UUID), state: textOf(isSetpointState) }

export type LockedSetpoint = RowOf<typeof LOCKED>

export async function lockSetpoints(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  now: Date,
): Promise<LockedSetpoint[]> {
  return sql.rows(
    LOCKED,
    `select e.uuid, e.system_uuid as "systemUuid", e.unit_uuid as "unitUuid", ${stateAt('$3')} as state from setpoints e
     where e.domain_id = $1 and e.uuid = any ($2::uuid[]) order by e.uuid for update`,
    [domainId, [...new Set(uuids)], now.toISOString()],
  )
}

export interface AnsweredSetpoint {
  readonly uuid: string
  readonly state: SetpointState
  readonly reason: string | null
}

/** Saves the answers to locked setpoints, and gives the number of this change. */
export async function saveAnswers(
  sql: Sql,
  domainId: number,
  answers: readonly AnsweredSetpoint[],
  now: Date,
): Promise<number> {
  if (answers.length === 0) return 0
  const changed = await sql.rows(
    CHANGED,
    `update setpoints e set state = answer.state, reason = answer.reason::jsonb #>> '{}', changed_at = $2::timestamptz
     from ${fromLines('answer', ['uuid', 'state', 'reason'], 3)}
     where e.domain_id = $1 and e.uuid = answer.uuid::uuid returning e.uuid`,
    [
      domainId,
      now.toISOString(),
      toLines(answers.map(({ uuid }) => uuid)),
      toLines(answers.map(({ state }) => state)),
      toLines(answers.map(({ reason }) => JSON.stringify(reason))),
    ],
  )
  return note(sql, domainId, changed)
}

/** A value that a device reports. */
export interface ReportedValue extends Omit<SetpointSeries, 'systemUuid'> {
  readonly domainId: number
  /** JSON text, as in a setpoint. */
  readonly value: string
  /** The last time at which the device reported it; microseconds since 1970. */
  readonly at: number
}

/**
 * Makes a setpoint APPLIED whose device reports the value that it wants, and gives the domains in which it changed
 * something. One statement looks for all domains, because this runs again and again and mostly finds nothing; for the
 * same reason it looks each series up by itself (`limit`).
 */
export async function applyReported(
  database: Database,
  reported: readonly ReportedValue[],
  now: Date,
): Promise<readonly number[]> {
  const found = await database.rows(
    CHANGED_ANYWHERE,
    `select one.domain_id as "domainId", one.uuid from ${fromLines('wanted', ['domain', ...SERIES_COLUMNS, 'value', 'at'], 1)}
     cross join lateral (
       select e.* from setpoints e where e.domain_id = wanted.domain::int8 and ${OF_SERIES} and ${UNFINISHED} limit 1) one
     where one.value = wanted.value and least(one.set_at, one.created_at) <= ${instant('wanted.at')}`,
    [
      toLines(reported.map(({ domainId }) => String(domainId))),
      ...seriesLines(reported.map((one) => ({ ...one, systemUuid: '' }))),
      toLines(reported.map(({ value }) => value)),
      toLines(reported.map(({ at }) => String(at))),
    ],
  )
  return changeByDomain(database, found, async (sql, domainId, uuids) => {
    const applied = await sql.rows(
      CHANGED,
      `with locked as (
         select e.uuid from setpoints e
         where e.domain_id = $1 and e.uuid = any ($2::uuid[]) and ${UNFINISHED} and not ${isExpired('$3')}
         order by e.uuid for update
       )
       update setpoints e set state = 'APPLIED', changed_at = $3::timestamptz
       from locked where e.domain_id = $1 and e.uuid = locked.uuid returning e.uuid`,
      [domainId, uuids, now.toISOString()],
    )
    return note(sql, domainId, applied)
  })
}

/** Notes that setpoints have expired, `most` at most; gives the number of those, and in which domains something changed. */
export async function writeExpired(
  database: Database,
  now: Date,
  most: number,
): Promise<{ readonly found: number; readonly domainIds: readonly number[] }> {
  const found = await database.rows(
    CHANGED_ANYWHERE,
    `select e.domain_id as "domainId", e.uuid from setpoints e where ${isExpired('$1')} limit $2`,
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
    return note(sql, domainId, expired)
  })
  return { found: found.length, domainIds }
}

/** Runs one transaction for each domain, and gives those in which it has noted something. */
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
