import type { Sql } from '../../db/sql.ts'
import { EVENT } from '../../records/entities.ts'
import type { EntityFilterOf, EntityOf, Stored } from '../../records/entity.ts'
import { fetchEntities, insertEntities } from '../entities.ts'
import type { Reading } from '../entity-columns.ts'
import { anyOf, matching, METADATA_CONDITIONS, TEXTS, UUIDS, type MetadataFilter } from '../entity-filters.ts'
import type { Selection } from '../entity-pages.ts'
import { noteChanges } from '../outbox.ts'
import { instant, microseconds } from '../sql-times.ts'

export type StoredEvent = Stored<typeof EVENT>

const READING: Reading = {
  expressions: {
    message: `coalesce(e.message, "eventModel".body ->> 'message')`,
    // A single point in time is stored as a range whose end equals its beginning.
    endAt: `case when "eventModel".body ->> 'eventType' = 'SINGLE_POINT' then null else ${microseconds('e.ends_at')} end`,
  },
}

export function fetchEvents(sql: Sql, domainId: number, uuids: readonly string[]): Promise<StoredEvent[]> {
  return fetchEntities(sql, domainId, EVENT, uuids, READING)
}

export async function fetchEvent(sql: Sql, domainId: number, uuid: string): Promise<StoredEvent | null> {
  const [event] = await fetchEvents(sql, domainId, [uuid])
  return event ?? null
}

/** Returns false if an event with this uuid exists. */
export async function insertEvent(sql: Sql, domainId: number, event: EntityOf<'Event'>): Promise<boolean> {
  const made = await insertEntities(sql, domainId, EVENT, [event])
  await noteChanges(sql, domainId, 'events', made)
  return made.length === 1
}

/** Ends an event. Returns false if it has already ended. If several transactions try at once, one succeeds. */
export async function endStoredEvent(sql: Sql, domainId: number, uuid: string, at: number): Promise<boolean> {
  const rows = await sql.query(
    `update events set ends_at = ${instant('$3')}
     where domain_id = $1 and uuid = $2::uuid and ends_at is null returning 1 as one`,
    [domainId, uuid, at],
  )
  if (rows.length === 1) await noteChanges(sql, domainId, 'events', [uuid])
  return rows.length === 1
}

/** Times are microseconds since 1970. `organizationUnits` are uuids, as in the filter of systems. */
interface EventFilter extends Omit<EntityFilterOf<'Event'>, 'from' | 'to' | 'metadata'>, MetadataFilter {
  readonly from?: number
  readonly to?: number
  /** The uuids of organizations or units, without the units below them. */
  readonly units?: readonly string[] | undefined
}

const match = matching<Omit<EventFilter, 'units'>>(
  {
    systems: { type: UUIDS, holds: anyOf('e.system_uuid') },
    components: { type: UUIDS, holds: anyOf('e.component_uuid') },
    eventModels: { type: TEXTS, holds: anyOf('"eventModel".key') },
    levels: { type: TEXTS, holds: anyOf(`"eventModel".body ->> 'eventLevel'`) },
    from: { type: 'int8', holds: (given) => `e.ends_at is null or e.ends_at >= ${instant(given)}` },
    to: { type: 'int8', holds: (given) => `e.begins_at < ${instant(given)}` },
    isOpen: { type: 'boolean', holds: (given) => `(e.ends_at is null) = ${given}` },
    organizationUnits: { type: UUIDS, holds: anyOf('e.unit_uuid') },
    ...METADATA_CONDITIONS,
  },
  { narrow: ['holders', 'components', 'systems', 'organizationUnits'], range: ['to'] },
)

export function eventsMeant(filter: EventFilter): Selection {
  return { ...match(filter), units: filter.units, reading: READING }
}
