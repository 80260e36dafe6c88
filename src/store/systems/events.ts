import type { Sql } from '../../db/sql.ts'
import { EVENT } from '../../records/entities/event.ts'
import { fetchEntities, type Stored } from '../entities.ts'
import type { Reading } from '../entity-columns.ts'
import type { Selection } from '../entity-pages.ts'
import { instant, microseconds } from '../sql-times.ts'

export type StoredEvent = Stored<'Event'>

const READING: Reading = {
  expressions: {
    message: `coalesce(e.message, "eventModel".body ->> 'message')`,
    // A single point in time is stored as a range that ends when it begins.
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

/** False where it has ended already: of all who try, one ends it. */
export async function endStoredEvent(sql: Sql, domainId: number, uuid: string, at: number): Promise<boolean> {
  const rows = await sql.query(
    `update events set ends_at = ${instant('$3')}
     where domain_id = $1 and uuid = $2::uuid and ends_at is null returning 1 as one`,
    [domainId, uuid, at],
  )
  return rows.length === 1
}

export interface EventFilter {
  readonly systems?: readonly string[] | undefined
  readonly components?: readonly string[]
  readonly eventModels?: readonly string[]
  readonly levels?: readonly string[]
  /** Events that were under way at any moment since then, and before `to`. */
  readonly from?: number
  readonly to?: number
  /** Whether a range has not ended yet. */
  readonly isOpen?: boolean
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const MATCHES = `($3::uuid[] is null or e.system_uuid = any ($3::uuid[]))
  and ($4::uuid[] is null or e.component_uuid = any ($4::uuid[]))
  and ($5::text[] is null or "eventModel".key = any ($5))
  and ($6::text[] is null or "eventModel".body ->> 'eventLevel' = any ($6))
  and ($7::int8 is null or e.ends_at is null or e.ends_at >= ${instant('$7')})
  and ($8::int8 is null or e.begins_at < ${instant('$8')})
  and ($9::boolean is null or (e.ends_at is null) = $9)`

export function eventsMeant(filter: EventFilter): Selection {
  const { systems, components, eventModels, levels, from, to, isOpen, units } = filter
  const places = [systems ?? null, components ?? null]
  const kinds = [eventModels ?? null, levels ?? null]
  return {
    matches: MATCHES,
    values: [...places, ...kinds, from ?? null, to ?? null, isOpen ?? null],
    units,
    reading: READING,
  }
}
