import type { SetpointState } from '../../../generated/entities.ts'
import { INT8, TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { SETPOINT } from '../../records/entities/setpoint.ts'
import { columnsOf, tablesOf, type Expressions } from '../entities.ts'
import { shapeOf } from '../entity-columns.ts'
import type { Selection } from '../entity-pages.ts'
import { instant } from '../sql-times.ts'

/** One characteristic of one service of one component. */
export interface SetpointSeries {
  readonly systemUuid: string
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
}

const STORED = {
  ...shapeOf(SETPOINT),
  /** JSON text, as the API shows the value. */
  value: TEXT,
  /** A number that is higher than that of every change of this setpoint before. */
  change: INT8,
}

export type StoredSetpoint = RowOf<typeof STORED>

export const UNFINISHED = `e.state in ('PENDING', 'SENT', 'ACKNOWLEDGED')`

/** SQL for whether a setpoint has expired, though its row does not say so yet. `now` is a parameter. */
export const isExpired = (now: string) =>
  `(${UNFINISHED} and e.expires_at is not null and e.expires_at <= ${now}::timestamptz)`
export const stateAt = (now: string) => `case when ${isExpired(now)} then 'EXPIRED' else e.state end`

/** A setpoint expires by itself, so its state depends on the time that the parameter `now` has. */
const readingAt = (now: string): Expressions => ({
  state: stateAt(now),
  changedAt: `case when ${isExpired(now)} then e.expires_at else e.changed_at end`,
  change: 'e.change',
})
const columns = (now: string) => columnsOf(SETPOINT, readingAt(now))
const FROM = tablesOf(SETPOINT)

/** The setpoints that exist among these, in the order in which they are named. */
export async function fetchSetpoints(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  now: Date,
): Promise<StoredSetpoint[]> {
  if (uuids.length === 0) return []
  return sql.rows(
    STORED,
    `select ${columns('$3')} from ${FROM}
     join unnest($2::uuid[]) with ordinality as named (uuid, place) on named.uuid = e.uuid
     where e.domain_id = $1 order by named.place`,
    [domainId, uuids, now.toISOString()],
  )
}

/** The setpoints of a system, of components, of systems of these units. A member that is null sets no bound. */
export interface SetpointPlace {
  readonly system: string | null
  readonly components: readonly string[] | null
  readonly units: readonly string[] | null
}

const AT_PLACE = `e.domain_id = $1 and ($2::uuid is null or e.system_uuid = $2::uuid)
  and ($3::uuid[] is null or e.component_uuid = any ($3::uuid[]))
  and ($7::uuid[] is null or e.unit_uuid = any ($7::uuid[]))`

/**
 * A page of the setpoints that a device has not acknowledged: first those that it was not given, then those that it may
 * have lost, each from the oldest.
 */
export async function fetchUnacknowledged(
  sql: Sql,
  domainId: number,
  { system, components, units }: SetpointPlace,
  { first, offset }: { readonly first: number; readonly offset: number },
  now: Date,
): Promise<StoredSetpoint[]> {
  return sql.rows(
    STORED,
    `select ${columns('$4')} from ${FROM}
     where ${AT_PLACE} and e.state in ('PENDING', 'SENT') and not ${isExpired('$4')}
     order by e.state, e.created_at, e.uuid limit $5 offset $6`,
    [domainId, system, components, now.toISOString(), first, offset, units],
  )
}

const PLACE = { system: UUID, component: UUID }

/** The components among these, or of these systems, for which a setpoint waits. One statement. */
export async function findPlacesPending(
  database: Database,
  domainId: number,
  systems: readonly string[],
  components: readonly string[],
): Promise<readonly RowOf<typeof PLACE>[]> {
  return database.rows(
    PLACE,
    `select distinct e.system_uuid as system, e.component_uuid as component from setpoints e
     where e.domain_id = $1 and e.state = 'PENDING'
       and (e.system_uuid = any ($2::uuid[]) or e.component_uuid = any ($3::uuid[]))`,
    [domainId, systems, components],
  )
}

export interface SetpointFilter {
  readonly systems?: readonly string[] | undefined
  readonly components?: readonly string[]
  /** Uuids or record keys. */
  readonly services?: readonly string[]
  readonly characteristics?: readonly string[]
  readonly states?: readonly SetpointState[]
  /** Only setpoints that were made from `from` on and before `to`; microseconds since 1970. */
  readonly from?: number
  readonly to?: number
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const MATCHES = `($4::uuid[] is null or e.system_uuid = any ($4::uuid[]))
  and ($5::uuid[] is null or e.component_uuid = any ($5::uuid[]))
  and ($6::text[] is null or service.key = any ($6) or e.service_uuid::text = any ($6))
  and ($7::text[] is null or characteristic.key = any ($7) or e.characteristic_uuid::text = any ($7))
  and ($8::text[] is null or ${stateAt('$3')} = any ($8))
  and ($9::int8 is null or e.created_at >= ${instant('$9')})
  and ($10::int8 is null or e.created_at < ${instant('$10')})`

export function setpointsMeant(filter: SetpointFilter, now: Date): Selection<StoredSetpoint> {
  const { systems, components, services, characteristics, states, from, to, units } = filter
  const places = [systems ?? null, components ?? null, services ?? null, characteristics ?? null]
  return {
    matches: MATCHES,
    values: [now.toISOString(), ...places, states ?? null, from ?? null, to ?? null],
    units,
    instead: readingAt('$3'),
    shape: STORED,
  }
}
