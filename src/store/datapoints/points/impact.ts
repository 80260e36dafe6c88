import { INT8, textOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/sql.ts'
import type { Impact, ImpactKind } from '../../../plan/plan.ts'
import type { RecordKey, RecordTypeName } from '../../../records/record-type.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { countBlockPoints, GATHERED, gatheredLines, NAMED_WITH_SERIES, type GatheredCounts } from './gathered-counts.ts'
import { linked, recordOf } from '../../model/links.ts'
import { keyLines, RECORD_KEY } from '../../model/records.ts'
import { foldedPoints } from '../../model/series-behind.ts'

const TYPES: ReadonlySet<string> = new Set(Object.values(DATA_TYPES))

/** Tells whether much data may depend on records of this type. Only other records depend on the other types. */
export function mayHaveData(type: string): boolean {
  return TYPES.has(type)
}

/** Tells whether the domain has a system. Without a system it has no data. */
export async function haveSystems(sql: Sql, domainId: number): Promise<boolean> {
  const rows = await sql.query(`select 1 as one from systems where domain_id = $1 limit 1`, [domainId])
  return rows.length > 0
}

/**
 * Counts everything that depends on the named records, or only their datapoints, in one statement. If some datapoints
 * are in blocks, a second statement counts those, and the first one runs again with the result.
 */
export async function fetchImpact(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
  kinds: keyof typeof STATEMENTS = 'all',
): Promise<ReadonlyMap<string, Impact>> {
  if (keys.length === 0) return new Map()
  const count = (gathered: GatheredCounts | null) =>
    sql.rows(IMPACT, STATEMENTS[kinds], [domainId, ...keyLines(keys), ...gatheredLines(gathered)])
  const known = await count(null)
  const areGathered = known.some(({ counted }) => counted === 'blocks')
  const rows = areGathered ? await count(await countBlockPoints(sql, domainId, keys)) : known
  const impact = new Map<string, Impact>()
  for (const { type, key, counted, count: number } of rows) {
    if (counted === 'blocks') continue
    const id = `${type}/${key}`
    impact.set(id, { ...impact.get(id), [counted]: number })
  }
  return impact
}

interface Branch {
  readonly types: readonly RecordTypeName[]
  /** If this table has no row of the domain, the branch counts nothing, and so does not run for each record. */
  readonly from: string
  /** An expression over `named`. */
  readonly count: string
}

const { characteristic, characteristicLink, service, serviceLink, componentModel, eventModel, unit } = DATA_TYPES

/** SQL that counts the rows of components of the model `named`. */
const ofComponents = (table: 'events' | 'setpoints') =>
  `(select count(*) from components c
      join ${table} t on t.domain_id = $1 and t.component_uuid = c.uuid
      where c.domain_id = $1 and c.model_uuid = named.uuid)`

const componentsOf = (modelUuid: string) =>
  `(select count(*) from components c where c.domain_id = $1 and c.model_uuid = ${modelUuid})`

type Branches = readonly [Branch, ...Branch[]]

/** How each kind is counted. Not datapoints: the statement below names their many partitions only once. */
const COUNTED: { readonly [kind in Exclude<ImpactKind, 'datapoints'>]: Branches } = {
  users: [
    {
      types: [],
      from: 'record_references',
      count: `(select count(*) from record_references reference
        cross join lateral ${recordOf('reference.from_uuid')} f
        where reference.domain_id = $1 and reference.to_uuid = named.uuid and not reference.owner and f.type = 'users')`,
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

/** A series counts as at least one point, because points that have just arrived are neither in chunks nor in blocks. */
const DATAPOINTS = `select type, key, 'datapoints' as counted,
    sum(greatest(1, coalesce(${foldedPoints('series_behind.id')}, 0) + coalesce(gathered.points, 0)))::int8 as count
  from series_behind left join gathered on gathered.id = series_behind.id group by type, key`

/** The series that may have points in blocks, if these are not counted yet. */
const BLOCKS = `select type, key, 'blocks' as counted, count(*) as count from series_behind
  where $4::text is null and exists (
    select from datapoint_blocks b where b.domain_id = $1 and b.block = series_behind.id >> 8)
  group by type, key`

const OTHERS = Object.entries(COUNTED).flatMap(([counted, branches]) =>
  branches.map((branch) => toSelect(counted, branch)),
)

type Counted = ImpactKind | 'blocks'

const isCounted = (text: string): text is Counted =>
  text === 'datapoints' || text === 'blocks' || Object.hasOwn(COUNTED, text)

const IMPACT = { ...RECORD_KEY, counted: textOf(isCounted), count: INT8 }

// It is materialized because PostgreSQL would otherwise compute each count twice: to compare it and to return it.
const statementOf = (counts: readonly string[]) =>
  `with ${NAMED_WITH_SERIES}, ${GATHERED}, counts as materialized (${counts.join(' union all ')})
    select * from counts where count > 0`

const STATEMENTS = {
  all: statementOf([...OTHERS, DATAPOINTS, BLOCKS]),
  datapoints: statementOf([DATAPOINTS, BLOCKS]),
}
