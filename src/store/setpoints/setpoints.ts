import { INT4, nullable, TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { keysOf } from '../../lib/entries.ts'
import { SETPOINT } from '../../records/entities.ts'
import type { EntityFilterOf } from '../../records/entity.ts'
import { selectEntities } from '../entities.ts'
import type { EntityRow, Reading } from '../entity-columns.ts'
import { anyOf, matching, TEXTS, UUIDS } from '../entity-filters.ts'
import type { Selection } from '../entity-pages.ts'
import { narrowestOf, hidden } from '../narrowest.ts'
import { instant } from '../sql-times.ts'
import { noteChanges } from '../outbox.ts'
import { toLines } from '../lines.ts'

/** One characteristic of one service of one component. */
export interface SetpointSeries {
  readonly systemUuid: string
  readonly componentUuid: string
  readonly serviceUuid: string
  readonly characteristicUuid: string
}

export const UNFINISHED = `e.state in ('PENDING', 'SENT', 'ACKNOWLEDGED')`

/**
 * SQL for the condition that a setpoint has expired, but its stored state does not show it yet. `now` is a parameter.
 */
export const isExpired = (now: string) =>
  `(${UNFINISHED} and e.expires_at is not null and e.expires_at <= ${now}::timestamptz)`
export const stateAt = (now: string) => `case when ${isExpired(now)} then 'EXPIRED' else e.state end`

/** The limit in bytes. Longer values are not read in lists, because a page of them would not fit into memory. */
const SHORT_BYTES = 8_192
const LENGTH = 'octet_length(e.value)'

const SHAPE = {
  /** JSON text, in the form of the API; null if it is long. */
  value: nullable(TEXT),
  bytes: INT4,
}

/** A setpoint without its value if that is long. */
export type SetpointRow = EntityRow<typeof SETPOINT, typeof SHAPE>

export interface StoredSetpoint extends Omit<SetpointRow, 'value'> {
  readonly value: string
}

/**
 * `now` is a parameter, because setpoints expire by themselves. `long` is SQL for the replacement of a long value and
 * its length.
 */
const readingAt = (now: string, long = { value: 'null', bytes: LENGTH }): Reading<typeof SHAPE> => ({
  expressions: {
    state: stateAt(now),
    changedAt: `case when ${isExpired(now)} then e.expires_at else e.changed_at end`,
    value: `case when ${LENGTH} <= ${SHORT_BYTES} then e.value else ${long.value} end`,
    bytes: `case when ${LENGTH} <= ${SHORT_BYTES} then ${LENGTH} else ${long.bytes} end`,
  },
  shape: SHAPE,
})
const READING = readingAt('$3')
const READING_BEGINNINGS = readingAt('$3', { value: 'to_json(left(e.value, 1000))::text', bytes: String(SHORT_BYTES) })
const READING_UNACKNOWLEDGED = readingAt('$4')

/** The existing setpoints among these, in the given order. */
export async function fetchSetpoints(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
  now: Date,
): Promise<SetpointRow[]> {
  if (uuids.length === 0) return []
  return selectEntities(sql, SETPOINT, {
    rest: `join unnest($2::uuid[]) with ordinality as named (uuid, place) on named.uuid = e.uuid
     where e.domain_id = $1 order by named.place`,
    values: [domainId, uuids, now.toISOString()],
    reading: READING,
  })
}

/** The values of these setpoints, even long ones. */
export async function fetchSetpointValues(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map()
  const rows = await sql.rows(
    { uuid: UUID, value: TEXT },
    `select e.uuid, e.value from setpoints e where e.domain_id = $1 and e.uuid = any ($2::uuid[])`,
    [domainId, uuids],
  )
  return new Map(rows.map(({ uuid, value }) => [uuid, value]))
}

/** Selects setpoints by system, components and units. Null means all. */
export interface SetpointTarget {
  readonly system: string | null
  readonly components: readonly string[] | null
  readonly units: readonly string[] | null
}

function isAtTarget(target: SetpointTarget): string {
  const { shown } = narrowestOf(target, ['components', 'system'])
  return `($2::uuid is null or ${shown('system', 'e.system_uuid = $2::uuid')})
    and ($3::uuid[] is null or ${shown('components', 'e.component_uuid = any ($3::uuid[])')})
    and ($7::uuid[] is null or ${shown('units', 'e.unit_uuid = any ($7::uuid[])')})`
}

/**
 * A page of the setpoints that a device has not acknowledged: first new ones, then those that were sent but may be
 * lost. Within each, the oldest come first.
 */
export async function fetchUnacknowledged(
  sql: Sql,
  domainId: number,
  target: SetpointTarget,
  { first, offset }: { readonly first: number; readonly offset: number },
  now: Date,
): Promise<SetpointRow[]> {
  const { system, components, units } = target
  return selectEntities(sql, SETPOINT, {
    rest: `where e.domain_id = $1 and ${isAtTarget(target)} and e.state in ('PENDING', 'SENT') and not ${isExpired('$4')}
     order by e.state, e.created_at, e.uuid limit $5 offset $6`,
    values: [domainId, system, components, now.toISOString(), first, offset, units],
    reading: READING_UNACKNOWLEDGED,
  })
}

const TARGET = {
  system: UUID,
  component: UUID,
  /** A digest of the pending setpoints of the component. */
  pending: TEXT,
}
const PENDING_OF = `select e.system_uuid as system, e.component_uuid as component, e.uuid from setpoints e
  where e.domain_id = $1 and e.state = 'PENDING' and`

export type PendingTarget = RowOf<typeof TARGET>

/** The components among these, or of these systems, with pending setpoints, in one statement. */
export async function findPendingTargets(
  database: Pick<Database, 'rows'>,
  domainId: number,
  systems: readonly string[],
  components: readonly string[],
): Promise<readonly PendingTarget[]> {
  return database.rows(
    TARGET,
    `select system, component, md5(string_agg(uuid::text, ' ' order by uuid)) as pending
     from (${PENDING_OF} e.system_uuid = any ($2::uuid[]) union ${PENDING_OF} e.component_uuid = any ($3::uuid[])) found
     group by system, component`,
    [domainId, systems, components],
  )
}

/** Times are microseconds since 1970. `services` and `characteristics` are uuids, like all others. */
export interface SetpointFilter extends Omit<EntityFilterOf<'Setpoint'>, 'from' | 'to'> {
  readonly from?: number
  readonly to?: number
  /** The uuids of organizations or units, without the units below them. */
  readonly units?: readonly string[] | undefined
}

/** These have many setpoints each, so setpoints within units are found by the unit instead. */
const OF_RECORDS = {
  services: { type: UUIDS, holds: anyOf('e.service_uuid') },
  characteristics: { type: UUIDS, holds: anyOf('e.characteristic_uuid') },
} as const

const matchingBy = (others: readonly (keyof typeof OF_RECORDS)[]) =>
  matching<Omit<SetpointFilter, 'units'>>(
    {
      systems: { type: UUIDS, holds: anyOf('e.system_uuid') },
      components: { type: UUIDS, holds: anyOf('e.component_uuid') },
      ...OF_RECORDS,
      states: { type: TEXTS, holds: anyOf(stateAt('$3')) },
      from: { type: 'int8', holds: (given) => `e.created_at >= ${instant(given)}` },
      to: { type: 'int8', holds: (given) => `e.created_at < ${instant(given)}` },
    },
    { first: 4, narrow: ['components', 'systems', ...others], range: ['from', 'to'] },
  )
const match = matchingBy(keysOf(OF_RECORDS))
const matchWithin = matchingBy([])

/** Selects setpoints. With `hasBeginnings`, a long value is replaced by its beginning, as a text. */
export function setpointsMeant(
  filter: SetpointFilter,
  now: Date,
  { hasBeginnings = false }: { readonly hasBeginnings?: boolean } = {},
): Selection<typeof SHAPE> {
  const matched = (filter.units === undefined ? match : matchWithin)(filter)
  const reading = hasBeginnings ? READING_BEGINNINGS : READING
  return { ...matched, values: [now.toISOString(), ...matched.values], units: filter.units, reading }
}

// All statements lock setpoints in the order of their uuids, so that transactions cannot deadlock. A transaction that
// inserts setpoints locks the components first, because two at once would not see each other's setpoints.

export const CHANGED = { uuid: UUID }

/** Notifies subscriptions, and returns the number of the note. */
export function noteSetpoints(sql: Sql, domainId: number, changed: readonly RowOf<typeof CHANGED>[]): Promise<number> {
  return noteChanges(
    sql,
    domainId,
    'setpoints',
    changed.map(({ uuid }) => uuid),
  )
}

/** The columns of a list of series. */
export const SERIES_COLUMNS = ['component::uuid', 'service::uuid', 'characteristic::uuid']
/**
 * SQL for the setpoints `e` of the series in the list `wanted`. The index on components is used, because a component
 * has few setpoints, and a service many.
 */
export const OF_SERIES = `e.component_uuid = wanted.component
  and ${hidden('e.service_uuid = wanted.service and e.characteristic_uuid = wanted.characteristic')}`

export function seriesLines(series: readonly SetpointSeries[]): string[] {
  return [
    toLines(series.map(({ componentUuid }) => componentUuid)),
    toLines(series.map(({ serviceUuid }) => serviceUuid)),
    toLines(series.map(({ characteristicUuid }) => characteristicUuid)),
  ]
}
