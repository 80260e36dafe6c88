import { INT8, textOf } from '../../db/columns.ts'
import type { Sql } from '../../db/sql.ts'
import type { Impact, ImpactKind } from '../../plan/plan.ts'
import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { fromLines } from '../lines.ts'
import { linked } from './links.ts'
import { keyLines, RECORD_KEY } from './records.ts'
import { foldedPoints, SERIES_BEHIND } from './series-behind.ts'

/** Counts what hangs on the records that are named, in one statement. */
export async function fetchImpact(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
): Promise<ReadonlyMap<string, Impact>> {
  if (keys.length === 0) return new Map()
  const rows = await sql.rows(IMPACT, STATEMENT, [domainId, ...keyLines(keys)])
  const impact = new Map<string, Impact>()
  for (const { type, key, counted, count } of rows) {
    const id = `${type}/${key}`
    impact.set(id, { ...impact.get(id), [counted]: count })
  }
  return impact
}

interface Branch {
  readonly types: readonly RecordTypeName[]
  /**
   * Nothing is looked for where this table has no row of the domain, so that the number of records does not matter
   * there.
   */
  readonly from: string
  /** An expression over `named`. */
  readonly count: string
}

const { characteristic, characteristicLink, service, serviceLink, componentModel, eventModel, unit } = DATA_TYPES

/** Counts the rows that belong to components of the model `named`. */
const ofComponents = (table: 'events' | 'setpoints') =>
  `(select count(*) from components c
      join ${table} t on t.domain_id = $1 and t.component_uuid = c.uuid
      where c.domain_id = $1 and c.model_uuid = named.uuid)`

const componentsOf = (modelUuid: string) =>
  `(select count(*) from components c where c.domain_id = $1 and c.model_uuid = ${modelUuid})`

type Branches = readonly [Branch, ...Branch[]]

/**
 * Each kind says here how it is counted. Datapoints are in many partitions, so the statement names them only once,
 * below.
 */
const COUNTED: { readonly [kind in Exclude<ImpactKind, 'datapoints'>]: Branches } = {
  users: [
    {
      types: [],
      from: 'record_references',
      count: `(select count(*) from record_references reference
        join records f on f.domain_id = $1 and f.uuid = reference.from_uuid and f.type = 'users'
        where reference.domain_id = $1 and reference.to_uuid = named.uuid and not reference.owner)`,
    },
  ],
  systems: [
    {
      types: [unit],
      from: 'systems',
      count: `(select count(*) from systems s where s.domain_id = $1 and s.unit_uuid = named.uuid)`,
    },
    {
      types: [componentModel],
      from: 'components',
      count: `(select count(distinct c.system_uuid) from components c
        where c.domain_id = $1 and c.model_uuid = named.uuid)`,
    },
  ],
  components: [
    { types: [componentModel], from: 'components', count: componentsOf('named.uuid') },
    {
      types: [service],
      from: 'components',
      count: `(select sum(${componentsOf('model.uuid')}) from ${linked('named.uuid', serviceLink, componentModel)} model)`,
    },
    {
      types: [characteristic],
      from: 'components',
      count: `(select sum(${componentsOf('supporting.uuid')}) from (
        select distinct model.uuid from ${linked('named.uuid', characteristicLink, service)} service
        cross join lateral ${linked('service.uuid', serviceLink, componentModel)} model) supporting)`,
    },
  ],
  events: [
    {
      types: [eventModel],
      from: 'events',
      count: `(select count(*) from events e where e.domain_id = $1 and e.model_uuid = named.uuid)`,
    },
    { types: [componentModel], from: 'events', count: ofComponents('events') },
  ],
  setpoints: [
    { types: [componentModel], from: 'setpoints', count: ofComponents('setpoints') },
    {
      types: [service],
      from: 'setpoints',
      count: `(select count(*) from setpoints p where p.domain_id = $1 and p.service_uuid = named.uuid)`,
    },
    {
      types: [characteristic],
      from: 'setpoints',
      count: `(select count(*) from setpoints p where p.domain_id = $1 and p.characteristic_uuid = named.uuid)`,
    },
  ],
}

function toSelect(counted: string, { types, from, count }: Branch): string {
  const isOfType = types.length === 0 ? 'true' : `named.type in (${types.map((type) => `'${type}'`).join(', ')})`
  return `select named.type, named.key, '${counted}' as counted, (${count})::int8 as count from named
    where ${isOfType} and (select exists (select from ${from} t where t.domain_id = $1))`
}

/** A series counts as one point at least, since points that arrived a moment ago are not in chunks yet. */
const DATAPOINTS = `select type, key, 'datapoints' as counted, sum(greatest(1, ${foldedPoints('series_behind.id')}))::int8 as count
  from (${SERIES_BEHIND}) series_behind group by type, key`

const COUNTS = [
  ...Object.entries(COUNTED).flatMap(([counted, branches]) => branches.map((branch) => toSelect(counted, branch))),
  DATAPOINTS,
].join(' union all ')

const isKind = (text: string): text is ImpactKind => text === 'datapoints' || Object.hasOwn(COUNTED, text)

const IMPACT = { ...RECORD_KEY, counted: textOf(isKind), count: INT8 }

// It is materialized because PostgreSQL would otherwise make each count twice: to compare it and to give it.
const STATEMENT = `with named as materialized (
    select r.type, r.key, r.uuid from ${fromLines('wanted', ['type', 'key'], 2)}
    join records r on r.domain_id = $1 and r.type = wanted.type and r.key = wanted.key
  ), counts as materialized (${COUNTS})
  select * from counts where count > 0`
