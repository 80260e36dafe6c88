import type { Database } from '../src/db/sql.ts'
import type { InfluxServer } from './influx.ts'
import { send, toHoldfast, type Receiver, type Sending } from './load.ts'
import { processorTime, tell, timed } from './measure.ts'
import { hundredths, tenths, whole } from './report.ts'
import { namesOf, type Server, type Store } from './server.ts'

// What it takes to send datapoints to the platform, to InfluxDB and to bare PostgreSQL.

/** What one load took. */
export interface Taken {
  /** Points. */
  readonly perSecond: number
  /** Milliseconds of a request. */
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time for a point. */
  readonly server: number
  readonly database: number
  readonly client: number
}

/** The columns of a table that has `cellsOf` in its rows. */
export const TAKEN = ['points a second', 'p50, ms', 'p99, ms', 'CPU a point, µs: server', 'database']

export function cellsOf({ perSecond, p50, p99, server, database }: Taken): string[] {
  return [whole(perSecond), tenths(p50), tenths(p99), hundredths(server), hundredths(database)]
}

/** A server that takes datapoints, and the database behind it. */
export interface Subject {
  readonly server: Server
  readonly store: Store
}

export async function measureSending({ server, store }: Subject, sending: Sending, what: string): Promise<Taken> {
  const receiver = toHoldfast(server.url, await server.token())
  return measureLoad(receiver, sending, what, () => [processorTime(server.pid), store.databaseCpu()])
}

/** The same points with a blank after the first bracket. No program writes one there, so JSON.parse reads the batch. */
export async function measureOddSending(subject: Subject, sending: Sending, what: string): Promise<Taken> {
  const { server, store } = subject
  const { format, ...rest } = toHoldfast(server.url, await server.token())
  const receiver = { ...rest, format: { ...format, open: `${format.open} ` } }
  return measureLoad(receiver, sending, what, () => [processorTime(server.pid), store.databaseCpu()])
}

export async function sendToInflux({ pid, receiver }: InfluxServer, sending: Sending): Promise<Taken> {
  const load = { ...sending, series: sending.series.map(lineOf) }
  return measureLoad(receiver, load, '  InfluxDB', () => [processorTime(pid), 0])
}

/** A series of InfluxDB is named by the two uuids that differ; those of service and system are the same everywhere. */
export function lineOf(series: string): string {
  const { characteristic_uuid: characteristic, component_uuid: component } = namesOf(series)
  return `points,characteristic=${characteristic},component=${component} value=`
}

/** `used` returns the processor times of the server and of the database. */
async function measureLoad(
  receiver: Receiver,
  { series, batch, connections, points: count }: Sending,
  what: string,
  used: () => [number, number],
): Promise<Taken> {
  const [serverBefore, databaseBefore] = used()
  const load = { series, batch, connections, points: count, from: nextFrom() }
  const { seconds, points, p50, p99, cpu } = await send({ ...receiver, ...load })
  const [server, database] = used()
  const micros = (milliseconds: number) => (milliseconds * 1_000) / points
  const taken = {
    perSecond: points / seconds,
    p50,
    p99,
    server: micros(server - serverBefore),
    database: micros(database - databaseBefore),
    client: micros(cpu),
  }
  tell(`${what.padEnd(45)} ${cellsOf(taken).join(', ')}`)
  return taken
}

let from = Date.UTC(2026, 0, 1)

/** When the points of the next load begin: after those of all loads before. */
export function nextFrom(): number {
  from += 3 * 3_600_000
  return from
}

const COPY_ROWS = 1_000_000
const COPY_SERIES = 1_000

/** COPY of text into the columns that datapoints arrive in, without a key: rows a second. */
export function measureCopy(database: Database): Promise<number> {
  const columns = `buffer integer not null default 1, position integer not null, series_id bigint not null,
    at bigint not null, generation bigint not null, float8 double precision, whole bigint, text text`
  return copy(database, columns, 'position, series_id, at, generation, float8', (index) => {
    return `${index % 8_000}\t${index % COPY_SERIES}\t${timeOf(index) * 1_000}\t7\t${valueOf(index)}`
  })
}

/** COPY of text into a table with a primary key of series and time: rows a second. */
export function measureCopyKeyed(database: Database): Promise<number> {
  const columns = `series integer not null, at timestamptz not null, value double precision not null, primary key (series, at)`
  return copy(database, columns, 'series, at, value', (index) => {
    return `${index % COPY_SERIES}\t${new Date(timeOf(index)).toISOString()}\t${valueOf(index)}`
  })
}

async function copy(
  database: Database,
  columns: string,
  copied: string,
  row: (index: number) => string,
): Promise<number> {
  const rows = Buffer.from(Array.from({ length: COPY_ROWS }, (_, index) => `${row(index)}\n`).join(''))
  await database.script(`drop table if exists bench_copy; create table bench_copy (${columns}); checkpoint`)
  const statement = `copy bench_copy (${copied}) from stdin`
  const time = await timed(() => database.transaction((sql) => sql.copyIn(statement, rows)))
  await database.script('drop table bench_copy; checkpoint')
  return (COPY_ROWS / time) * 1_000
}

function timeOf(index: number): number {
  return 1_767_225_600_000 + Math.floor(index / COPY_SERIES) * 1_000
}

function valueOf(index: number): string {
  return (20 + Math.round(100 * Math.sin(index / 50)) / 10).toFixed(1)
}
