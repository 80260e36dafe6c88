import { decodeDirectory, type Directory } from '../../../datapoints/segments/directory.ts'
import { breather } from '../../../db/breather.ts'
import { BYTEA, INT8 } from '../../../db/columns.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { RecordKey } from '../../../records/record-type.ts'
import { fromLines } from '../../lines.ts'
import { keyLines, recordsByKey, RECORD_KEY } from '../../model/records.ts'
import { SERIES_BEHIND, foldedPoints } from '../../model/series-behind.ts'
import { hasSeries } from './points.ts'
import type { RowOf } from '../../../db/row-shape.ts'

// Points that are not in chunks yet are counted by the directories of their segments. SQL cannot read directories.

/** The numbers of points in blocks of some series, as columns. Millions of series take 16 bytes each. */
interface PointsInBlocks {
  readonly ids: Float64Array
  readonly points: Float64Array
}

/** The numbers of hot points by series, and of points in blocks. Each series occurs once in blocks. */
export interface GatheredCounts {
  readonly hot: ReadonlyMap<number, number>
  readonly blocks: readonly PointsInBlocks[]
}

const DIRECTORY = { first: INT8, series: BYTEA }

/** SQL for the records that `$2` and `$3` name, and for the series behind them. */
export const NAMED_WITH_SERIES = `named as materialized (
    select r.type, r.key, r.uuid from ${recordsByKey(2)}
  ), series_behind as materialized (${SERIES_BEHIND})`

const BLOCKS_BEHIND = `with ${NAMED_WITH_SERIES} select distinct id >> 8 as block from series_behind order by 1`
const OF_BLOCKS = `select b.block << 8 as first, b.series from datapoint_blocks b
  where b.domain_id = $1 and b.block = any ($2::bigint[])`
/** The blocks whose directories are read at once: a few megabytes. */
const BLOCKS_AT_ONCE = 1_000

const OF_HOT = `with ${NAMED_WITH_SERIES} select h.series_lo as first, h.series from datapoints_hot h
  where h.domain_id = $1 and ${hasSeries('(select array_agg(id order by id) from series_behind)')}`

/** Counts the hot points behind these records, by series. The transaction must hold the lock of hot points. */
export async function countHotPoints(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<GatheredCounts> {
  const rows = keys.length === 0 ? [] : await sql.rows(DIRECTORY, OF_HOT, [domainId, ...keyLines(keys)])
  return { hot: await countBySeries(rows), blocks: [] }
}

/**
 * Counts the points in blocks behind these records, by series, and adds them to the hot points. It also counts other
 * series of the same blocks.
 */
export async function countBlockPoints(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
  { hot }: Pick<GatheredCounts, 'hot'> = { hot: new Map() },
): Promise<GatheredCounts> {
  const behind = keys.length === 0 ? [] : await sql.rows({ block: INT8 }, BLOCKS_BEHIND, [domainId, ...keyLines(keys)])
  const blocks: PointsInBlocks[] = []
  for (let from = 0; from < behind.length; from += BLOCKS_AT_ONCE) {
    const some = behind.slice(from, from + BLOCKS_AT_ONCE).map(({ block }) => String(block))
    const counts = await countBySeries(await sql.rows(DIRECTORY, OF_BLOCKS, [domainId, some]))
    if (counts.size > 0)
      blocks.push({ ids: Float64Array.from(counts.keys()), points: Float64Array.from(counts.values()) })
  }
  return { hot, blocks }
}

async function countBySeries(rows: readonly RowOf<typeof DIRECTORY>[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  const breathe = breather()
  for (const { first, series: bytes } of rows) {
    const { series, counts: points } = decode(first, bytes)
    for (const [run, id] of series.entries()) counts.set(id, (counts.get(id) ?? 0) + (points[run] ?? 0))
    await breathe()
  }
  return counts
}

function decode(first: number, bytes: Uint8Array): Directory {
  try {
    return decodeDirectory(bytes)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new HoldfastError('INTERNAL', `the points from series ${first} on cannot be counted: ${reason}`, { cause })
  }
}

/** SQL for counts as rows, from the parameters `$4` and later. `gatheredLines` makes the parameters. */
export const GATHERED = `gathered as materialized (
  select id::bigint as id, points::bigint as points, hot::bigint as hot from ${fromLines('counted', ['id', 'points', 'hot'], 4)})`

export function gatheredLines(counts: GatheredCounts | null): (string | null)[] {
  const { hot, blocks } = counts ?? { hot: new Map<number, number>(), blocks: [] }
  const left = new Map(hot)
  const texts = blocks.map(({ ids, points }) => {
    const own = ids.map((id) => hot.get(id) ?? 0)
    for (const id of left.size === 0 ? [] : ids) left.delete(id)
    return [ids.join('\n'), points.join('\n'), own.join('\n')]
  })
  const rest = [...left]
  if (rest.length > 0) texts.push([rest.map(([id]) => id), rest.map(() => 0), rest.map(([, own]) => own)].map(asLines))
  return [0, 1, 2].map((column) => (texts.length === 0 ? null : asLines(texts.map((text) => text[column] ?? ''))))
}

function asLines(values: readonly (number | string)[]): string {
  return values.join('\n')
}

const POINTS_BEHIND = {
  ...RECORD_KEY,
  points: INT8,
  systems: INT8,
  /** The number of hot points, which have just arrived. */
  hot: INT8,
}

/** The numbers of points and of systems behind a record. */
export type PointsBehind = RowOf<typeof POINTS_BEHIND>

/**
 * Counts the stored points in two statements, and adds the hot points that were counted before (`countHotPoints`). No
 * point is missed. A point that is folded or merged in between counts twice, unless all statements use one snapshot.
 */
export async function countPointsBehind(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
  hot: GatheredCounts,
): Promise<PointsBehind[]> {
  if (keys.length === 0) return []
  const counts = await countBlockPoints(sql, domainId, keys, hot)
  return sql.rows(
    POINTS_BEHIND,
    `with ${NAMED_WITH_SERIES}, ${GATHERED}, counted as materialized (
       select s.type, s.key, s.system_uuid,
         coalesce(${foldedPoints('s.id')}, 0) + coalesce(gathered.points, 0) as folded, coalesce(gathered.hot, 0) as hot
       from series_behind s left join gathered on gathered.id = s.id
     )
     select type, key, sum(folded + hot)::int8 as points, sum(hot)::int8 as hot,
       (count(distinct system_uuid) filter (where folded + hot > 0))::int8 as systems
     from counted group by type, key`,
    [domainId, ...keyLines(keys), ...gatheredLines(counts)],
  )
}
