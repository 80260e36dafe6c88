import type { Status } from '../../../generated/import-document.ts'
import type { Sql } from '../../db/sql.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { linked } from '../model/links.ts'
import { inCanonicalOrder } from '../model/records.ts'

/** A characteristic of a service: what a component can have data of. */
export interface SupportedPair {
  readonly serviceUuid: string
  readonly serviceKey: string
  readonly serviceStatus: Status
  readonly serviceName: string
  readonly characteristicUuid: string
  readonly characteristicKey: string
  /** Its `status` is in it. */
  readonly characteristicBody: RecordBody
}

export interface ComponentSupport {
  readonly componentUuid: string
  readonly systemUuid: string
  readonly unitUuid: string | null
  readonly componentStatus: Status
  readonly systemStatus: Status
  /** Whether it is a prototype, by itself or as part of its system. */
  readonly isPrototype: boolean
  readonly modelUuid: string
  readonly modelStatus: Status
  /** Components of one model have one list. By the place of the service in the model, then by characteristic. */
  readonly pairs: readonly SupportedPair[]
}

/** What the components that exist among these support: exactly what their models link. Two statements. */
export async function fetchSupport(
  sql: Sql,
  domainId: number,
  componentUuids: readonly string[],
): Promise<ComponentSupport[]> {
  if (componentUuids.length === 0) return []
  const components = await sql.query<Omit<ComponentSupport, 'pairs'>>(
    `select c.uuid as "componentUuid", c.system_uuid as "systemUuid", c.unit_uuid as "unitUuid", c.status as "componentStatus",
       s.status as "systemStatus", c.is_prototype or s.is_prototype as "isPrototype", c.model_uuid as "modelUuid", model.body ->> 'status' as "modelStatus"
     from components c
     join systems s on s.domain_id = $1 and s.uuid = c.system_uuid
     join records model on model.domain_id = $1 and model.uuid = c.model_uuid
     where c.domain_id = $1 and c.uuid = any ($2::uuid[])`,
    [domainId, componentUuids],
  )
  const pairs = await fetchPairs(sql, domainId, [...new Set(components.map(({ modelUuid }) => modelUuid))])
  return components.map((component) => ({ ...component, pairs: pairs.get(component.modelUuid) ?? [] }))
}

interface PairRow extends Omit<SupportedPair, 'characteristicBody'> {
  readonly modelUuid: string
  readonly body: RecordBody
}

/** By the uuid of the component model. */
async function fetchPairs(
  sql: Sql,
  domainId: number,
  modelUuids: readonly string[],
): Promise<ReadonlyMap<string, readonly SupportedPair[]>> {
  if (modelUuids.length === 0) return new Map()
  const rows = await sql.query<PairRow>(
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

function toPair({ modelUuid: _, body, ...pair }: PairRow): SupportedPair {
  return { ...pair, characteristicBody: body }
}
