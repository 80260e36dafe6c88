import { decodeDirectory, type Directory } from '../../../datapoints/segments/directory.ts'
import { breather } from '../../../db/breather.ts'
import { BOOL, BYTEA, INT8 } from '../../../db/columns.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { RecordKey } from '../../../records/record-type.ts'
import { fromLines, toLines } from '../../lines.ts'
import { keyLines, recordsByKey, RECORD_KEY } from '../../model/records.ts'
import { SERIES_BEHIND, foldedPoints } from '../../model/series-behind.ts'
import { hasSeries } from './points.ts'
import type { RowOf } from '../../../db/row-shape.ts'

// Points that are not in chunks yet are counted by the directories of their segments. SQL cannot read directories.

/** The numbers of points of a series in blocks, and of its hot points. */
interface Gathered {
  points: number
  hot: number
}

export type GatheredCounts = ReadonlyMap<number, Gathered>

const DIRECTORY = { first: INT8, series: BYTEA, isHot: BOOL }

/** SQL for the records that `$2` and `$3` name, and for the series behind them. */
export const NAMED_WITH_SERIES = `named as materialized (
    select r.type, r.key, r.uuid from ${recordsByKey(2)}
  ), series_behind as materialized (${SERIES_BEHIND})`

const OF_BLOCKS = `select b.block << 8 as first, b.series, false as "isHot" from datapoint_blocks b
  where b.domain_id = $1 and b.block in (select id >> 8 from series_behind)`

const OF_HOT = `select h.series_lo as first, h.series, true as "isHot" from datapoints_hot h
  where h.domain_id = $1 and ${hasSeries('(select array_agg(id order by id) from series_behind)')}`

/** Counts the hot points behind these records, by series. The transaction must hold the lock of hot points. */
export function countHotPoints(sql: Sql, domainId: number, keys: readonly RecordKey[]): Promise<GatheredCounts> {
  return count(sql, domainId, keys, OF_HOT)
}

/**
 * Counts the points in blocks behind these records, by series, and adds them to the hot points. It also counts other
 * series of the same blocks.
 */
export function countBlockPoints(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
  hot?: GatheredCounts,
): Promise<GatheredCounts> {
  return count(sql, domainId, keys, OF_BLOCKS, hot)
}

async function count(
  sql: Sql,
  domainId: number,
  keys: readonly RecordKey[],
  directories: string,
  known: GatheredCounts = new Map(),
): Promise<GatheredCounts> {
  if (keys.length === 0) return known
  const rows = await sql.rows(DIRECTORY, `with ${NAMED_WITH_SERIES} ${directories}`, [domainId, ...keyLines(keys)])
  const counts = new Map(Array.from(known, ([id, gathered]) => [id, { ...gathered }]))
  const breathe = breather()
  for (const { first, series: bytes, isHot } of rows) {
    const { series, counts: points } = decode(first, bytes)
    for (let run = 0; run < series.length; run++) add(counts, series[run] ?? 0, points[run] ?? 0, isHot)
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

function add(counts: Map<number, Gathered>, seriesId: number, points: number, isHot: boolean): void {
  const known = counts.get(seriesId) ?? { points: 0, hot: 0 }
  if (isHot) known.hot += points
  else known.points += points
  counts.set(seriesId, known)
}

/** SQL for counts as rows, from the parameters `$4` and later. `gatheredLines` makes the parameters. */
export const GATHERED = `gathered as materialized (
  select id::bigint as id, points::bigint as points, hot::bigint as hot from ${fromLines('counted', ['id', 'points', 'hot'], 4)})`

export function gatheredLines(counts: GatheredCounts | null): (string | null)[] {
  if (counts === null || counts.size === 0) return [null, null, null]
  const rows = [...counts]
  return [
    toLines(rows.map(([id]) => String(id))),
    toLines(rows.map(([, { points }]) => String(points))),
    toLines(rows.map(([, { hot }]) => String(hot))),
  ]
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
