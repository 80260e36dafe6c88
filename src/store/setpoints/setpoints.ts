import type { SetpointState } from '../../datapoints/setpoint-state.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { instant, microseconds } from '../sql-times.ts'

/** One characteristic of one service of one component. */
export interface SetpointSeries {
  readonly systemUuid: string
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
}

export interface StoredSetpoint extends SetpointSeries {
  readonly uuid: string
  /** Of its system. */
  readonly unitUuid: string | null
  /** Record keys. */
  readonly service: string
  readonly characteristic: string
  /** JSON text, as the API shows the value. */
  readonly value: string
  /** As it is at the moment that was asked about: one that has expired is EXPIRED. */
  readonly state: SetpointState
  readonly reason: string | null
  readonly actor: string
  /** Microseconds since 1970. */
  readonly setAt: number
  readonly createdAt: Date
  readonly expiresAt: Date | null
  /** When it came into its state. */
  readonly changedAt: Date
  /** Higher than that of every change of this setpoint before. */
  readonly change: number
}

export const UNFINISHED = `p.state in ('PENDING', 'SENT', 'ACKNOWLEDGED')`

/** Whether one is over without anybody having written it down yet. `now` is a parameter. */
export const isExpired = (now: string) =>
  `(${UNFINISHED} and p.expires_at is not null and p.expires_at <= ${now}::timestamptz)`
export const stateAt = (now: string) => `case when ${isExpired(now)} then 'EXPIRED' else p.state end`

/** `now` is a parameter. */
const columns = (now: string) =>
  `p.uuid, p.system_uuid as "systemUuid", p.unit_uuid as "unitUuid", p.component_uuid as "componentUuid", p.service_uuid as "serviceUuid",
  p.characteristic_uuid as "characteristicUuid", service.key as service, characteristic.key as characteristic, p.value,
  ${stateAt(now)} as state, p.reason, p.actor, ${microseconds('p.set_at')} as "setAt",
  p.created_at as "createdAt", p.expires_at as "expiresAt",
  case when ${isExpired(now)} then p.expires_at else p.changed_at end as "changedAt", p.change`

const KEYS = `join records service on service.domain_id = p.domain_id and service.uuid = p.service_uuid
  join records characteristic on characteristic.domain_id = p.domain_id and characteristic.uuid = p.characteristic_uuid`
const FROM = `setpoints p ${KEYS}`

/** Those of these that there are, in the order in which they are named. */
export async function fetchSetpoints(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  now: Date,
): Promise<StoredSetpoint[]> {
  if (uuids.length === 0) return []
  return sql.query<StoredSetpoint>(
    `select ${columns('$3')} from unnest($2::uuid[]) with ordinality as named (uuid, place)
     join setpoints p on p.domain_id = $1 and p.uuid = named.uuid ${KEYS} order by named.place`,
    [domainId, uuids, now.toISOString()],
  )
}

/** Of these components; null: of all. Of this system; null: of any. Of systems of these units; null: of any. */
export interface SetpointPlace {
  readonly system: string | null
  readonly components: readonly string[] | null
  readonly units: readonly string[] | null
}

const AT_PLACE = `p.domain_id = $1 and ($2::uuid is null or p.system_uuid = $2::uuid)
  and ($3::uuid[] is null or p.component_uuid = any ($3::uuid[]))
  and ($7::uuid[] is null or p.unit_uuid = any ($7::uuid[]))`

/** What a device has not acknowledged yet: what it was not given first, then what it may have lost; the oldest first. Page by page. */
export async function fetchUnacknowledged(
  sql: Sql,
  domainId: number,
  { system, components, units }: SetpointPlace,
  { first, offset }: { readonly first: number; readonly offset: number },
  now: Date,
): Promise<StoredSetpoint[]> {
  return sql.query<StoredSetpoint>(
    `select ${columns('$4')} from ${FROM}
     where ${AT_PLACE} and p.state in ('PENDING', 'SENT') and not ${isExpired('$4')}
     order by p.state, p.created_at, p.uuid limit $5 offset $6`,
    [domainId, system, components, now.toISOString(), first, offset, units],
  )
}

/** Where something waits to be given to a device, of these systems and components. One statement. */
export async function findPlacesPending(
  database: Database,
  domainId: number,
  systems: readonly string[],
  components: readonly string[],
): Promise<readonly { readonly system: string; readonly component: string }[]> {
  return database.statement<{ system: string; component: string }>(
    `select distinct p.system_uuid as system, p.component_uuid as component from setpoints p
     where p.domain_id = $1 and p.state = 'PENDING'
       and (p.system_uuid = any ($2::uuid[]) or p.component_uuid = any ($3::uuid[]))`,
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
  /** Microseconds since 1970; of what the platform heard of since then, and before `to`. */
  readonly from?: number
  readonly to?: number
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const MATCHES = `p.domain_id = $1
  and ($3::uuid[] is null or p.system_uuid = any ($3::uuid[]))
  and ($4::uuid[] is null or p.component_uuid = any ($4::uuid[]))
  and ($5::text[] is null or service.key = any ($5) or p.service_uuid::text = any ($5))
  and ($6::text[] is null or characteristic.key = any ($6) or p.characteristic_uuid::text = any ($6))
  and ($7::text[] is null or ${stateAt('$2')} = any ($7))
  and ($8::int8 is null or p.created_at >= ${instant('$8')})
  and ($9::int8 is null or p.created_at < ${instant('$9')})
  and ($10::uuid[] is null or p.unit_uuid = any ($10::uuid[]))`

export interface SetpointPage {
  readonly first: number
  readonly after: string | null
  readonly isOldestFirst: boolean
}

/** By the time at which they were made, after a setpoint. */
export async function fetchSetpointPage(
  sql: Sql,
  domainId: number,
  filter: SetpointFilter,
  { first, after, isOldestFirst }: SetpointPage,
  now: Date,
): Promise<StoredSetpoint[]> {
  const [beyond, direction] = isOldestFirst ? ['>', 'asc'] : ['<', 'desc']
  return sql.query<StoredSetpoint>(
    `select ${columns('$2')} from ${FROM} where ${MATCHES} and ($11::uuid is null or (p.created_at, p.uuid) ${beyond} (
       select created_at, uuid from setpoints
       where domain_id = $1 and uuid = $11::uuid and ($10::uuid[] is null or unit_uuid = any ($10::uuid[]))))
     order by p.created_at ${direction}, p.uuid ${direction} limit $12`,
    [...filterValues(domainId, filter, now), after, first],
  )
}

export async function countSetpoints(sql: Sql, domainId: number, filter: SetpointFilter, now: Date): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) as count from ${FROM} where ${MATCHES}`,
    filterValues(domainId, filter, now),
  )
  return row?.count ?? 0
}

function filterValues(domainId: number, filter: SetpointFilter, now: Date) {
  const { systems, components, services, characteristics, states, from, to, units } = filter
  return [
    domainId,
    now.toISOString(),
    systems ?? null,
    components ?? null,
    services ?? null,
    characteristics ?? null,
    states ?? null,
    from ?? null,
    to ?? null,
    units ?? null,
  ]
}
