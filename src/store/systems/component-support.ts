import type { Status } from '../../../generated/import-document.ts'
import { BOOL, JSONB_OBJECT, nullable, oneOf, TEXT, UUID } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { linked } from '../model/links.ts'
import { inCanonicalOrder } from '../model/records.ts'
import type { EntityFilterOf } from '../../records/entity.ts'
import { anyOf, contains, matching, METADATA_CONDITIONS, TEXTS, UUIDS, type MetadataFilter } from '../entity-filters.ts'
import type { Selection } from '../entity-pages.ts'

const STATUS = oneOf<Status>(['ACTIVATED', 'DEACTIVATED', 'ARCHIVED'])

const PAIR = {
  serviceUuid: UUID,
  serviceKey: TEXT,
  serviceStatus: STATUS,
  serviceName: TEXT,
  characteristicUuid: UUID,
  characteristicKey: TEXT,
}
const PAIR_OF_MODEL = { modelUuid: UUID, ...PAIR, body: JSONB_OBJECT }

/** A characteristic of a service for which a component can have data. */
export interface SupportedPair extends RowOf<typeof PAIR> {
  /** The body, including the status. */
  readonly characteristicBody: RecordBody
}

const COMPONENT = {
  componentUuid: UUID,
  systemUuid: UUID,
  unitUuid: nullable(UUID),
  componentStatus: STATUS,
  systemStatus: STATUS,
  /** Whether the component or its system is a prototype. */
  isPrototype: BOOL,
  modelUuid: UUID,
  modelStatus: STATUS,
}

type FoundComponent = RowOf<typeof COMPONENT>

/** A component with the pairs that its model links. */
export interface ComponentSupport extends FoundComponent {
  /** The pairs in the order of the model's services, then by characteristic. A model's components share it. */
  readonly pairs: readonly SupportedPair[]
}

/** The existing components among these, with their supported pairs, in two statements. */
export async function fetchSupport(
  sql: Sql,
  domainId: number,
  componentUuids: readonly string[],
): Promise<ComponentSupport[]> {
  const components = await fetchComponents(sql, domainId, componentUuids)
  const pairs = await fetchPairs(sql, domainId, [...new Set(components.map(({ modelUuid }) => modelUuid))])
  return components.map((component) => ({ ...component, pairs: pairs.get(component.modelUuid) ?? [] }))
}

/**
 * The existing components among these. Each is found by its own key, like its system and model. Without statistics,
 * PostgreSQL would otherwise read the components of all systems (docs/decisions/0037).
 */
export async function fetchComponents(
  sql: Sql,
  domainId: number,
  componentUuids: readonly string[],
): Promise<FoundComponent[]> {
  if (componentUuids.length === 0) return []
  return sql.rows(
    COMPONENT,
    `select c.uuid as "componentUuid", c.system_uuid as "systemUuid", c.unit_uuid as "unitUuid", c.status as "componentStatus",
       s.status as "systemStatus", c.is_prototype or s.is_prototype as "isPrototype", c.model_uuid as "modelUuid", model.body ->> 'status' as "modelStatus"
     from (select distinct unnest($2::uuid[]) as uuid) wanted
     cross join lateral (select * from components where domain_id = $1 and uuid = wanted.uuid offset 0) c
     cross join lateral (select * from systems where domain_id = $1 and uuid = c.system_uuid offset 0) s
     cross join lateral (select body from records where domain_id = $1 and uuid = c.model_uuid offset 0) model`,
    [domainId, componentUuids],
  )
}

const MODEL = { uuid: UUID, status: STATUS }

/** A component model with the pairs that it links. */
export interface ModelSupport extends RowOf<typeof MODEL> {
  readonly pairs: readonly SupportedPair[]
}

/** The existing component models among these, with their supported pairs, in two statements. */
export async function fetchModels(sql: Sql, domainId: number, uuids: readonly string[]): Promise<ModelSupport[]> {
  if (uuids.length === 0) return []
  const models = await sql.rows(
    MODEL,
    `select r.uuid, r.body ->> 'status' as status from records r where r.domain_id = $1 and r.uuid = any ($2::uuid[])`,
    [domainId, uuids],
  )
  const pairs = await fetchPairs(sql, domainId, uuids)
  return models.map((model) => ({ ...model, pairs: pairs.get(model.uuid) ?? [] }))
}

/** The pairs by the uuid of the component model. */
export async function fetchPairs(
  sql: Sql,
  domainId: number,
  modelUuids: readonly string[],
): Promise<ReadonlyMap<string, readonly SupportedPair[]>> {
  if (modelUuids.length === 0) return new Map()
  const rows = await sql.rows(
    PAIR_OF_MODEL,
    `select model.uuid as "modelUuid", service.uuid as "serviceUuid", service.key as "serviceKey",
       service.body ->> 'status' as "serviceStatus", service.body ->> 'name' as "serviceName",
       characteristic.uuid as "characteristicUuid", characteristic.key as "characteristicKey", characteristic.body
     from unnest($2::uuid[]) model (uuid)
     cross join lateral ${linked('model.uuid', DATA_TYPES.serviceLink, DATA_TYPES.service)} service
     cross join lateral ${linked('service.uuid', DATA_TYPES.characteristicLink, DATA_TYPES.characteristic)} characteristic
     order by (service.link ->> 'index')::numeric, service.key, characteristic.key`,
    [domainId, modelUuids],
  )
  const byModel = Map.groupBy(rows.map(inCanonicalOrder), ({ modelUuid }) => modelUuid)
  return new Map([...byModel].map(([uuid, found]) => [uuid, found.map(toPair)]))
}

function toPair({ modelUuid: _, body, ...pair }: RowOf<typeof PAIR_OF_MODEL>): SupportedPair {
  return { ...pair, characteristicBody: body }
}

/** Its `organizationUnits` are uuids, as in the filter of systems. */
interface ComponentFilter extends Omit<EntityFilterOf<'Component'>, 'metadata'>, MetadataFilter {
  /** The uuids of organizations or units, without the units below them. */
  readonly units?: readonly string[] | undefined
}

const match = matching<Omit<ComponentFilter, 'units'>>(
  {
    uuids: { type: UUIDS, holds: anyOf('e.uuid') },
    systems: { type: UUIDS, holds: anyOf('e.system_uuid') },
    componentModels: { type: TEXTS, holds: anyOf('"componentModel".key') },
    status: { type: TEXTS, holds: anyOf('e.status') },
    search: { type: 'text', holds: contains('e.name') },
    organizationUnits: { type: UUIDS, holds: anyOf('e.unit_uuid') },
    ...METADATA_CONDITIONS,
  },
  { narrow: ['uuids', 'systems', 'holders', 'organizationUnits'] },
)

export function componentsMeant(filter: ComponentFilter): Selection {
  return { ...match(filter), units: filter.units }
}
