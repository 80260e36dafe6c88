import type { Sql } from '../../db/sql.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { instant, microseconds } from '../sql-times.ts'

export interface StoredEvent {
  readonly uuid: string
  /** The key of the event model, and its body. */
  readonly model: string
  readonly modelBody: RecordBody
  readonly systemUuid: string
  /** Of its system. */
  readonly unitUuid: string | null
  /** Null where it is one of the system as a whole. */
  readonly componentUuid: string | null
  /** Microseconds since 1970. */
  readonly beginsAt: number
  /** Of a single point in time: the same. Null while a range has not ended. */
  readonly endsAt: number | null
  readonly message: string | null
  readonly metadata: readonly JsonObject[]
  readonly actor: string
  readonly createdAt: Date
}

const COLUMNS = `e.uuid, model.key as model, model.body as "modelBody", e.system_uuid as "systemUuid", e.unit_uuid as "unitUuid",
  e.component_uuid as "componentUuid", ${microseconds('e.begins_at')} as "beginsAt", ${microseconds('e.ends_at')} as "endsAt",
  e.message, e.metadata, e.actor, e.created_at as "createdAt"`
const FROM = `events e join records model on model.domain_id = e.domain_id and model.uuid = e.model_uuid`

export async function fetchEvent(sql: Sql, domainId: number, uuid: string): Promise<StoredEvent | null> {
  const [event] = await fetchEvents(sql, domainId, [uuid])
  return event ?? null
}

export async function fetchEvents(sql: Sql, domainId: number, uuids: readonly string[]): Promise<StoredEvent[]> {
  return sql.query<StoredEvent>(`select ${COLUMNS} from ${FROM} where e.domain_id = $1 and e.uuid = any ($2::uuid[])`, [
    domainId,
    uuids,
  ])
}

/** Its unit is that of its system. */
export type WrittenEvent = Omit<StoredEvent, 'modelBody' | 'unitUuid'>

/** False where there is one with this uuid. Model, system and component must exist. */
export async function insertEvent(sql: Sql, domainId: number, event: WrittenEvent): Promise<boolean> {
  const rows = await sql.query(
    `insert into events (domain_id, uuid, model_uuid, system_uuid, unit_uuid, component_uuid, begins_at, ends_at, message, metadata,
       actor, created_at)
     select $1, $2::uuid, model.uuid, s.uuid, s.unit_uuid, $5::uuid, ${instant('$6')}, ${instant('$7')}, $8, $9::jsonb, $10,
       $11::timestamptz
     from records model join systems s on s.domain_id = $1 and s.uuid = $4::uuid
     where model.domain_id = $1 and model.type = '${DATA_TYPES.eventModel}' and model.key = $3
     on conflict (domain_id, uuid) do nothing returning 1 as one`,
    [
      domainId,
      event.uuid,
      event.model,
      event.systemUuid,
      event.componentUuid,
      event.beginsAt,
      event.endsAt,
      event.message,
      JSON.stringify(event.metadata),
      event.actor,
      event.createdAt.toISOString(),
    ],
  )
  return rows.length === 1
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

const MATCHES = `e.domain_id = $1
  and ($2::uuid[] is null or e.system_uuid = any ($2::uuid[]))
  and ($3::uuid[] is null or e.component_uuid = any ($3::uuid[]))
  and ($4::text[] is null or model.key = any ($4))
  and ($5::text[] is null or model.body ->> 'eventLevel' = any ($5))
  and ($6::int8 is null or e.ends_at is null or e.ends_at >= ${instant('$6')})
  and ($7::int8 is null or e.begins_at < ${instant('$7')})
  and ($8::boolean is null or (e.ends_at is null) = $8)
  and ($9::uuid[] is null or e.unit_uuid = any ($9::uuid[]))`

/** The newest first, after an event. */
export async function fetchEventPage(
  sql: Sql,
  domainId: number,
  filter: EventFilter,
  { first, after }: { readonly first: number; readonly after: string | null },
): Promise<StoredEvent[]> {
  return sql.query<StoredEvent>(
    `select ${COLUMNS} from ${FROM} where ${MATCHES} and ($10::uuid is null or (e.begins_at, e.uuid) < (
       select begins_at, uuid from events
       where domain_id = $1 and uuid = $10::uuid and ($9::uuid[] is null or unit_uuid = any ($9::uuid[]))))
     order by e.begins_at desc, e.uuid desc limit $11`,
    [...filterValues(domainId, filter), after, first],
  )
}

export async function countEvents(sql: Sql, domainId: number, filter: EventFilter): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) as count from ${FROM} where ${MATCHES}`,
    filterValues(domainId, filter),
  )
  return row?.count ?? 0
}

function filterValues(domainId: number, filter: EventFilter) {
  const { systems, components, eventModels, levels, from, to, isOpen, units } = filter
  return [
    domainId,
    systems ?? null,
    components ?? null,
    eventModels ?? null,
    levels ?? null,
    from ?? null,
    to ?? null,
    isOpen ?? null,
    units ?? null,
  ]
}
