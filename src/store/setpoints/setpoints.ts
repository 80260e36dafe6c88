import type { SetpointState } from '../../../generated/entities.ts'
import { INT8, TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { SETPOINT } from '../../records/entities/setpoint.ts'
import { selectEntities, type Stored } from '../entities.ts'
import type { Reading } from '../entity-columns.ts'
import type { Selection } from '../entity-pages.ts'
import { instant } from '../sql-times.ts'

/** One characteristic of one service of one component. */
export interface SetpointSeries {
  readonly systemUuid: string
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
}

export interface StoredSetpoint extends Omit<Stored<'Setpoint'>, 'value'> {
  /** JSON text, as the API shows the value. */
  readonly value: string
  /** Higher than that of every change of this setpoint before. */
  readonly change: number
}

export const UNFINISHED = `e.state in ('PENDING', 'SENT', 'ACKNOWLEDGED')`

/** Whether one is over without anybody having written it down yet. `now` is a parameter. */
export const isExpired = (now: string) =>
  `(${UNFINISHED} and e.expires_at is not null and e.expires_at <= ${now}::timestamptz)`
export const stateAt = (now: string) => `case when ${isExpired(now)} then 'EXPIRED' else e.state end`

/** `now` is a parameter: setpoints expire by themselves. */
const readingAt = (now: string): Reading => ({
  expressions: {
    state: stateAt(now),
    changedAt: `case when ${isExpired(now)} then e.expires_at else e.changed_at end`,
    change: 'e.change',
  },
  shape: { value: TEXT, change: INT8 },
})

/** Those of these that there are, in the order in which they are named. */
export async function fetchSetpoints(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  now: Date,
): Promise<StoredSetpoint[]> {
  if (uuids.length === 0) return []
  return selectEntities<'Setpoint', StoredSetpoint>(sql, SETPOINT, {
    rest: `join unnest($2::uuid[]) with ordinality as named (uuid, place) on named.uuid = e.uuid
     where e.domain_id = $1 order by named.place`,
    values: [domainId, uuids, now.toISOString()],
    reading: readingAt('$3'),
  })
}

/** Of these components; null: of all. Of this system; null: of any. Of systems of these units; null: of any. */
export interface SetpointTarget {
  readonly system: string | null
  readonly components: readonly string[] | null
  readonly units: readonly string[] | null
}

const AT_TARGET = `e.domain_id = $1 and ($2::uuid is null or e.system_uuid = $2::uuid)
  and ($3::uuid[] is null or e.component_uuid = any ($3::uuid[]))
  and ($7::uuid[] is null or e.unit_uuid = any ($7::uuid[]))`

/** What a device has not acknowledged yet: what it was not given first, then what it may have lost; the oldest first. Page by page. */
export async function fetchUnacknowledged(
  sql: Sql,
  domainId: number,
  { system, components, units }: SetpointTarget,
  { first, offset }: { readonly first: number; readonly offset: number },
  now: Date,
): Promise<StoredSetpoint[]> {
  return selectEntities<'Setpoint', StoredSetpoint>(sql, SETPOINT, {
    rest: `where ${AT_TARGET} and e.state in ('PENDING', 'SENT') and not ${isExpired('$4')}
     order by e.state, e.created_at, e.uuid limit $5 offset $6`,
    values: [domainId, system, components, now.toISOString(), first, offset, units],
    reading: readingAt('$4'),
  })
}

const TARGET = { system: UUID, component: UUID }

/** The components among these, or of these systems, for which a setpoint waits. One statement. */
export async function findPendingTargets(
  database: Database,
  domainId: number,
  systems: readonly string[],
  components: readonly string[],
): Promise<readonly RowOf<typeof TARGET>[]> {
  return database.rows(
    TARGET,
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
  /** Microseconds since 1970; of what the platform heard of since then, and before `to`. */
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

export function setpointsMeant(filter: SetpointFilter, now: Date): Selection {
  const { systems, components, services, characteristics, states, from, to, units } = filter
  const places = [systems ?? null, components ?? null, services ?? null, characteristics ?? null]
  return {
    matches: MATCHES,
    values: [now.toISOString(), ...places, states ?? null, from ?? null, to ?? null],
    units,
    reading: readingAt('$3'),
  }
}
