import { KINDS, type Flush } from '../../datapoints/chunks/flush.ts'
import { INT8, oneOf } from '../../db/columns.ts'
import type { RowOf } from '../../db/row-shape.ts'
import type { Sql } from '../../db/sql.ts'
import type { BinaryRows } from './binary-rows.ts'
import { bufferTable } from './partitions.ts'
import { HOT_POINT } from './points.ts'

/** Indices of KINDS. */
const [FLOAT, TEXT] = [KINDS.indexOf('float'), KINDS.indexOf('text')]

export interface CopyOfRows {
  readonly text: string
  readonly data: Uint8Array
}

/** Encodes the rows of one flush for one buffer. `rows` is reused, so the data is valid until the next call with it. */
export function encodeHotRows(rows: BinaryRows, buffer: number, flush: Flush): CopyOfRows {
  const { kinds, count } = flush
  const used = [false, false, false]
  for (let place = 0; place < count; place++) used[columnOf(kinds[place] ?? 0)] = true
  rows.reset()
  if (used[0] === true && used[1] !== true && used[2] !== true) writeFloats(rows, flush)
  else writeMixed(rows, flush, used)
  const isOneByOne = count > FEW && count < MANY
  const columns = ['position', 'series_id', 'at', 'generation', ...COLUMNS.filter((_, index) => used[index])]
  return {
    text: `copy ${bufferTable(buffer)} (${columns.join(', ')}) from stdin with (format binary)${isOneByOne ? ONE_BY_ONE : ''}`,
    data: rows.finish(),
  }
}

/**
 * A condition that makes COPY write each row by itself, because it is volatile. COPY would otherwise make a place for
 * each of its first thousand rows, which together cost 1.3 ms, since PostgreSQL 18 looks each place up among all
 * others. To write each row by itself costs twice as much a row, and is cheaper for this many.
 */
const ONE_BY_ONE = ' where random() >= 0'
const [FEW, MANY] = [300, 4_500]

const COLUMNS = ['float8', 'whole', 'text'] as const

/** The index of the column for a kind: integers and booleans are whole numbers. */
function columnOf(kind: number): 0 | 1 | 2 {
  if (kind === FLOAT) return 0
  return kind === TEXT ? 2 : 1
}

/** Writes rows that are all floats, as nearly all are. */
function writeFloats(rows: BinaryRows, { count, series, at, values, generation }: Flush): void {
  const one = typeof generation === 'number' ? generation : 0
  for (let place = 0; place < count; place++) {
    rows.row(5, 56)
    rows.int4(place)
    rows.int8(series[place] ?? 0)
    rows.int8(at[place] ?? 0)
    rows.int8(one)
    rows.float8(values[place] ?? 0)
  }
}

function writeMixed(rows: BinaryRows, flush: Flush, used: readonly boolean[]): void {
  const { count, series, at, kinds, generation } = flush
  const fields = 4 + used.filter(Boolean).length
  for (let place = 0; place < count; place++) {
    rows.row(fields, 80)
    rows.int4(place)
    rows.int8(series[place] ?? 0)
    rows.int8(at[place] ?? 0)
    rows.int8(typeof generation === 'number' ? generation : 0)
    const own = columnOf(kinds[place] ?? 0)
    for (let column = 0; column < 3; column++) {
      if (used[column] !== true) continue
      if (column === own) writeValue(rows, flush, place)
      else rows.null()
    }
  }
}

function writeValue(rows: BinaryRows, { kinds, values, others }: Flush, place: number): void {
  const other = others.get(place)
  if (kinds[place] === FLOAT) rows.float8(values[place] ?? 0)
  else if (other === undefined) rows.int8(values[place] ?? 0)
  else if (typeof other === 'bigint') rows.wide(other)
  else rows.text(other)
}

const HOT_ROW = { domainId: INT8, kind: oneOf(KINDS), ...HOT_POINT }

/** A row that a dead process has left in its buffer. */
export type HotRow = RowOf<typeof HOT_ROW>

/**
 * Reads all rows of a buffer, some thousand at a time, by series, time, generation and position. Rows of a series that
 * was deleted meanwhile are left out. The cursor needs a transaction.
 */
export async function* readBuffer(sql: Sql, buffer: number): AsyncGenerator<HotRow[]> {
  await sql.query(
    `declare hot_rows no scroll cursor for
     select s.domain_id as "domainId", h.series_id as "seriesId", s.value_kind as kind, h.at, h.generation, h.float8,
       h.whole::text as whole, h.text
     from ${bufferTable(buffer)} h join series s on s.id = h.series_id
     order by h.series_id, h.at, h.generation, h.position`,
  )
  for (;;) {
    const rows = await sql.rows(HOT_ROW, `fetch 20000 from hot_rows`)
    if (rows.length === 0) break
    yield rows
  }
  await sql.query(`close hot_rows`)
}
