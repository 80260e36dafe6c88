import type { Status } from '../../../generated/import-document.ts'
import type { Sql } from '../../db/sql.ts'
import type { JsonObject } from '../../lib/json.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { fromLines, toLines } from '../lines.ts'

export interface StoredComponent {
  readonly uuid: string
  readonly systemUuid: string
  /** Of its system. */
  readonly unitUuid: string | null
  /** The key of the component model. */
  readonly model: string
  readonly name: string
  readonly status: Status
  /** One of a system that is a prototype is one too, whatever stands here. */
  readonly isPrototype: boolean
  /** Sorted by key, values in tagged form. */
  readonly metadata: readonly JsonObject[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

const COLUMNS = `c.uuid, c.system_uuid as "systemUuid", c.unit_uuid as "unitUuid", model.key as model, c.name, c.status, c.is_prototype as "isPrototype", c.metadata,
  c.created_at as "createdAt", c.updated_at as "updatedAt"`
const FROM = `components c join records model on model.domain_id = c.domain_id and model.uuid = c.model_uuid`

export async function fetchComponents(
  sql: Sql,
  domainId: number,
  uuids: readonly string[],
): Promise<StoredComponent[]> {
  if (uuids.length === 0) return []
  return sql.query<StoredComponent>(
    `select ${COLUMNS} from ${FROM} where c.domain_id = $1 and c.uuid = any ($2::uuid[])`,
    [domainId, uuids],
  )
}

/** Its unit is that of its system. */
export type WrittenComponent = Omit<StoredComponent, 'unitUuid'>

/** Those that were made: one whose uuid exists is left out. Their systems and models must exist. */
export async function insertComponents(
  sql: Sql,
  domainId: number,
  components: readonly WrittenComponent[],
  now: Date,
): Promise<readonly { readonly uuid: string }[]> {
  const column = (text: (component: WrittenComponent) => string) => toLines(components.map(text))
  return sql.query<{ uuid: string }>(
    `insert into components (domain_id, uuid, system_uuid, unit_uuid, model_uuid, name, status, is_prototype, metadata, created_at, updated_at)
     select $1, new.uuid::uuid, s.uuid, s.unit_uuid, model.uuid, new.name, new.status, new.prototype::boolean, new.metadata::jsonb, $2::timestamptz,
       $2::timestamptz
     from ${fromLines('new', ['uuid', 'system', 'model', 'name', 'status', 'prototype', 'metadata'], 3)}
     join systems s on s.domain_id = $1 and s.uuid = new.system::uuid
     join records model on model.domain_id = $1 and model.type = '${DATA_TYPES.componentModel}' and model.key = new.model
     on conflict (domain_id, uuid) do nothing returning uuid`,
    [
      domainId,
      now.toISOString(),
      column(({ uuid }) => uuid),
      column(({ systemUuid }) => systemUuid),
      column(({ model }) => model),
      column(({ name }) => name),
      column(({ status }) => status),
      column(({ isPrototype }) => String(isPrototype)),
      column(({ metadata }) => JSON.stringify(metadata)),
    ],
  )
}

/** Its system and its model stay what they are: its data belongs to them. */
export async function updateStoredComponent(sql: Sql, domainId: number, component: WrittenComponent): Promise<void> {
  await sql.query(
    `update components set name = $3, status = $4, metadata = $5::jsonb, updated_at = $6::timestamptz, is_prototype = $7
     where domain_id = $1 and uuid = $2::uuid`,
    [
      domainId,
      component.uuid,
      component.name,
      component.status,
      JSON.stringify(component.metadata),
      component.updatedAt.toISOString(),
      component.isPrototype,
    ],
  )
}

export interface ComponentFilter {
  readonly systems?: readonly string[] | undefined
  readonly componentModels?: readonly string[]
  readonly status?: readonly string[]
  /** Part of the name, in any case. */
  readonly search?: string
  /** The uuids of organizations or units, and nothing below them. */
  readonly units?: readonly string[] | undefined
}

const MATCHES = `c.domain_id = $1
  and ($2::uuid[] is null or c.system_uuid = any ($2::uuid[]))
  and ($3::text[] is null or model.key = any ($3))
  and ($4::text[] is null or c.status = any ($4))
  and ($5::text is null or strpos(lower(c.name), lower($5)) > 0)
  and ($6::uuid[] is null or c.unit_uuid = any ($6::uuid[]))`

function filterValues(domainId: number, { systems, componentModels, status, search, units }: ComponentFilter) {
  return [domainId, systems ?? null, componentModels ?? null, status ?? null, search ?? null, units ?? null]
}

/** By name, after a component. */
export async function fetchComponentPage(
  sql: Sql,
  domainId: number,
  filter: ComponentFilter,
  { first, after }: { readonly first: number; readonly after: string | null },
): Promise<StoredComponent[]> {
  return sql.query<StoredComponent>(
    `select ${COLUMNS} from ${FROM} where ${MATCHES} and ($7::uuid is null or (c.name, c.uuid) > (
       select name, uuid from components
       where domain_id = $1 and uuid = $7::uuid and ($6::uuid[] is null or unit_uuid = any ($6::uuid[]))))
     order by c.name, c.uuid limit $8`,
    [...filterValues(domainId, filter), after, first],
  )
}

export async function countComponents(sql: Sql, domainId: number, filter: ComponentFilter): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) as count from ${FROM} where ${MATCHES}`,
    filterValues(domainId, filter),
  )
  return row?.count ?? 0
}
