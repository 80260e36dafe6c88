import type { Sql } from '../db/sql.ts'
import type { RecordKey, RecordTypeName } from '../records/record-type.ts'
import { DATA_TYPES } from '../records/types/data-types.ts'
import { fromLines } from './lines.ts'
import { linked } from './links.ts'
import { keyLines } from './records.ts'

/** What hangs on a record, by what is counted; only what is not zero is named. */
export type Counts = { readonly [counted: string]: number }

/** How much hangs on the records that are named, in one statement. */
export async function fetchImpact(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<ReadonlyMap<string, Counts>> {
  if (keys.length === 0) return new Map()
  const rows = await sql.query<{ type: RecordTypeName; key: string; counted: string; count: number }>(STATEMENT, [
    domainId,
    ...keyLines(keys),
  ])
  const impact = new Map<string, { [counted: string]: number }>()
  for (const { type, key, counted, count } of rows) {
    const id = `${type}/${key}`
    impact.set(id, { ...impact.get(id), [counted]: count })
  }
  return impact
}

interface Branch {
  readonly counted: string
  readonly types: readonly RecordTypeName[]
  /** Nothing is looked for where this table has no row of the domain: then there may be any number of records. */
  readonly from: string
  /** An expression over `named`. */
  readonly count: string
}

const { characteristic, characteristicLink, service, serviceLink, componentModel, eventModel, unit } = DATA_TYPES

/** What is of a component of this model. */
const ofComponents = (table: 'events' | 'setpoints') =>
  `(select count(*) from components c
      join ${table} t on t.domain_id = $1 and t.component_uuid = c.uuid
      where c.domain_id = $1 and c.model_uuid = named.uuid)`

const componentsOf = (modelUuid: string) =>
  `(select count(*) from components c where c.domain_id = $1 and c.model_uuid = ${modelUuid})`

/** A series has one point at least; those that arrived a moment ago are not in chunks yet, and are not waited for. */
const pointsOf = (series: string) =>
  `(select sum(greatest(1, (
      select sum(chunk.count) from datapoint_chunks chunk where chunk.domain_id = $1 and chunk.series_id = s.id)))
    from series s ${series})`

const BRANCHES: readonly Branch[] = [
  {
    counted: 'users',
    types: [],
    from: 'record_references',
    count: `(select count(*) from record_references reference
      join records f on f.domain_id = $1 and f.uuid = reference.from_uuid and f.type = 'users'
      where reference.domain_id = $1 and reference.to_uuid = named.uuid and not reference.owner)`,
  },
  {
    counted: 'systems',
    types: [unit],
    from: 'systems',
    count: `(select count(*) from systems s where s.domain_id = $1 and s.unit_uuid = named.uuid)`,
  },
  {
    counted: 'systems',
    types: [componentModel],
    from: 'components',
    count: `(select count(distinct c.system_uuid) from components c
      where c.domain_id = $1 and c.model_uuid = named.uuid)`,
  },
  { counted: 'components', types: [componentModel], from: 'components', count: componentsOf('named.uuid') },
  {
    counted: 'components',
    types: [service],
    from: 'components',
    count: `(select sum(${componentsOf('model.uuid')}) from ${linked('named.uuid', serviceLink, componentModel)} model)`,
  },
  {
    counted: 'components',
    types: [characteristic],
    from: 'components',
    count: `(select sum(${componentsOf('supporting.uuid')}) from (
      select distinct model.uuid from ${linked('named.uuid', characteristicLink, service)} service
      cross join lateral ${linked('service.uuid', serviceLink, componentModel)} model) supporting)`,
  },
  {
    counted: 'events',
    types: [eventModel],
    from: 'events',
    count: `(select count(*) from events e where e.domain_id = $1 and e.model_uuid = named.uuid)`,
  },
  { counted: 'events', types: [componentModel], from: 'events', count: ofComponents('events') },
  { counted: 'setpoints', types: [componentModel], from: 'setpoints', count: ofComponents('setpoints') },
  {
    counted: 'setpoints',
    types: [service],
    from: 'setpoints',
    count: `(select count(*) from setpoints p where p.domain_id = $1 and p.service_uuid = named.uuid)`,
  },
  {
    counted: 'setpoints',
    types: [characteristic],
    from: 'setpoints',
    count: `(select count(*) from setpoints p where p.domain_id = $1 and p.characteristic_uuid = named.uuid)`,
  },
  {
    counted: 'datapoints',
    types: [componentModel],
    from: 'series',
    count: pointsOf(`join components c on c.domain_id = $1 and c.uuid = s.component_uuid
      where s.domain_id = $1 and c.model_uuid = named.uuid`),
  },
  {
    counted: 'datapoints',
    types: [service],
    from: 'series',
    count: pointsOf(`where s.domain_id = $1 and s.service_uuid = named.uuid`),
  },
  {
    counted: 'datapoints',
    types: [characteristic],
    from: 'series',
    count: pointsOf(`where s.domain_id = $1 and s.characteristic_uuid = named.uuid`),
  },
]

function toSelect({ counted, types, from, count }: Branch): string {
  const isOfType = types.length === 0 ? 'true' : `named.type in (${types.map((type) => `'${type}'`).join(', ')})`
  return `select named.type, named.key, '${counted}' as counted, (${count})::int8 as count from named
    where ${isOfType} and (select exists (select from ${from} t where t.domain_id = $1))`
}

// Materialized: flattened, each count would be made once to compare it and once to give it.
const STATEMENT = `with named as materialized (
    select r.type, r.key, r.uuid from ${fromLines('wanted', ['type', 'key'], 2)}
    join records r on r.domain_id = $1 and r.type = wanted.type and r.key = wanted.key
  ), counts as materialized (${BRANCHES.map(toSelect).join(' union all ')})
  select * from counts where count > 0`
