import type { Database } from '../src/db/sql.ts'
import { timed } from './measure.ts'

// What PostgreSQL itself takes in by COPY of text, one statement for all: into the table that datapoints arrive in, and
// into one with a primary key.

const ROWS = 1_000_000
const SERIES = 1_000

const HOT = `create table bench_hot (buffer integer not null default 1, position integer not null, series_id bigint not null,
  at bigint not null, generation bigint not null, float8 double precision, whole bigint, text text)`
const KEYED = `create table bench_keyed (series integer not null, at timestamptz not null, value double precision not null, primary key (series, at))`

export interface Baseline {
  /** Points a second. */
  readonly hot: number
  readonly keyed: number
}

const hotRows = lines((index) => `${index % 8_000}\t${index % SERIES}\t${timeOf(index) * 1_000}\t7\t${valueOf(index)}`)
const keyedRows = lines((index) => `${index % SERIES}\t${new Date(timeOf(index)).toISOString()}\t${valueOf(index)}`)

export async function measureBaseline(database: Database): Promise<Baseline> {
  await database.script(`drop table if exists bench_hot, bench_keyed; ${HOT}; ${KEYED}; checkpoint`)
  const hot = await timed(() =>
    copyIn(database, 'copy bench_hot (position, series_id, at, generation, float8) from stdin', hotRows),
  )
  const keyed = await timed(() => copyIn(database, 'copy bench_keyed (series, at, value) from stdin', keyedRows))
  await database.script('drop table bench_hot, bench_keyed; checkpoint')
  return { hot: (ROWS / hot) * 1_000, keyed: (ROWS / keyed) * 1_000 }
}

function copyIn(database: Database, text: string, rows: Uint8Array): Promise<void> {
  return database.transaction((sql) => sql.copyIn(text, rows))
}

function lines(row: (index: number) => string): Uint8Array {
  return Buffer.from(Array.from({ length: ROWS }, (_, index) => `${row(index)}\n`).join(''))
}

function timeOf(index: number): number {
  return 1_767_225_600_000 + Math.floor(index / SERIES) * 1_000
}

function valueOf(index: number): string {
  return (20 + Math.round(100 * Math.sin(index / 50)) / 10).toFixed(1)
}
