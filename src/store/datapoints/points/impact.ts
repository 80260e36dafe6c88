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

/** Whether very much may hang on records of this type. On others hang no more than records. */
export function mayHaveData(type: string): boolean {
  return TYPES.has(type)
}

/** Whether the domain has a system, without which it has no data. */
export async function haveSystems(sql: Sql, domainId: number): Promise<boolean> {
  const rows = await sql.query(`select 1 as one from systems where domain_id = $1 limit 1`, [domainId])
  return rows.length > 0
}

/**
 * Counts what hangs on the records that are named, or only their datapoints, in one statement; where some of the datapoints are
 * in blocks, these are counted in a second one, and all is counted again with them.
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

/** A series counts as one point at least, since points that arrived a moment ago are neither in chunks nor in blocks. */
const DATAPOINTS = `select type, key, 'datapoints' as counted,
    sum(greatest(1, coalesce(${foldedPoints('series_behind.id')}, 0) + coalesce(gathered.points, 0)))::int8 as count
  from series_behind left join gathered on gathered.id = series_behind.id group by type, key`

/** The series of which some points may be in blocks, as long as those are not counted. */
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

// It is materialized because PostgreSQL would otherwise make each count twice: to compare it and to give it.
const statementOf = (counts: readonly string[]) =>
  `with ${NAMED_WITH_SERIES}, ${GATHERED}, counts as materialized (${counts.join(' union all ')})
    select * from counts where count > 0`

const STATEMENTS = {
  all: statementOf([...OTHERS, DATAPOINTS, BLOCKS]),
  datapoints: statementOf([DATAPOINTS, BLOCKS]),
}
