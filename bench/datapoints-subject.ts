import { INT8 } from '../src/db/columns.ts'
import type { Database } from '../src/db/sql.ts'
import { send, toHoldfast, type Load } from './datapoints-client.ts'
import type { InfluxServer } from './datapoints-influx.ts'
import { makeSeries } from './datapoints-site.ts'
import { startServer, type Server, type Store } from './platform.ts'
import { processorTime } from './processes.ts'

/** What one run of one case took. */
export interface Taken {
  readonly [figure: string]: number
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

export interface Case {
  readonly name: string
  readonly batch: number
  readonly connections: number
  readonly points: number
  readonly series: 'few' | 'many'
  /** Whether bodies are written in a way that the server does not learn: with a blank where no program writes one. */
  readonly isOddlyWritten?: boolean
}

/** A server with the series of a site. */
export interface Subject {
  readonly server: Server
  /** A thousand and ten thousand, each as the JSON of a datapoint up to its value. */
  readonly few: readonly string[]
  readonly many: readonly string[]
  /** Of the database, milliseconds. */
  processorTime(): number
}

export async function makeSubject(store: Store, ofDatabase: () => number): Promise<Subject> {
  // The first start makes the domain; an embedded database has one owner at a time.
  await (await startServer(store)).stop()
  const database = await store.open()
  const many = await makeSeries(database, 10_000)
  await database.close()
  return { server: await startServer(store), few: many.slice(0, 1_000), many, processorTime: ofDatabase }
}

let from = Date.UTC(2026, 0, 1)

/** Each load comes after the ones before. */
export function nextFrom(): number {
  from += 3 * 3_600_000
  return from
}

/** What is sent, from which series. */
export type Sending = Pick<Load, 'batch' | 'connections' | 'points' | 'series'>

export async function measure(subject: Subject, one: Case): Promise<Taken> {
  return measureSending(subject, { ...one, series: subject[one.series] }, one.isOddlyWritten)
}

export async function measureSending(
  { server, processorTime: ofDatabase }: Pick<Subject, 'server' | 'processorTime'>,
  sending: Sending,
  isOddlyWritten = false,
): Promise<Taken> {
  const { format, ...to } = toHoldfast(server.url, await server.token())
  const open = isOddlyWritten ? `${format.open} ` : format.open
  const before = { server: processorTime(server.pid), database: ofDatabase() }
  return taken({ ...to, format: { ...format, open }, ...sizeOf(sending) }, () => ({
    server: processorTime(server.pid) - before.server,
    database: ofDatabase() - before.database,
  }))
}

export async function measureInflux(influx: InfluxServer, subject: Subject, one: Case): Promise<Taken> {
  return sendToInflux(influx, { ...one, series: subject[one.series] })
}

export async function sendToInflux(influx: InfluxServer, sending: Sending): Promise<Taken> {
  const before = processorTime(influx.pid)
  const load = { ...influx.load, ...sizeOf(sending), series: influx.seriesOf(sending.series) }
  return taken(load, () => ({ server: processorTime(influx.pid) - before, database: 0 }))
}

function sizeOf({ batch, connections, points, series }: Sending): Sending {
  return { batch, connections, points, series }
}

async function taken(
  load: Omit<Load, 'from'>,
  used: () => { readonly server: number; readonly database: number },
): Promise<Taken> {
  const { seconds, points, p50, p99, cpu } = await send({ ...load, from: nextFrom() })
  const { server, database } = used()
  const perPoint = (ms: number) => (ms * 1_000) / points
  return {
    perSecond: points / seconds,
    p50,
    p99,
    server: perPoint(server),
    database: perPoint(database),
    client: perPoint(cpu),
  }
}

/** Bytes on disk for a point, with indexes. */
export async function storedSize(database: Database): Promise<number> {
  const [row] = await database.rows(
    { points: INT8, bytes: INT8 },
    `select ((select coalesce(sum(count), 0) from datapoint_chunks) + (select coalesce(sum(count), 0) from datapoint_blocks))::bigint
         as points, pg_total_relation_size('datapoint_blocks') + (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)
         from pg_inherits where inhparent = 'datapoint_chunks'::regclass)::bigint as bytes`,
  )
  return row === undefined ? Number.NaN : row.bytes / row.points
}

/** Waits until merging has nothing more to do, and takes away what VACUUM would in its own time. */
export async function settle(database: Database): Promise<void> {
  let [before, same] = [-1, 0]
  while (same < 3) {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const [row] = await database.rows({ chunks: INT8 }, 'select count(*) as chunks from datapoint_chunks')
    same = row?.chunks === before ? same + 1 : 0
    before = row?.chunks ?? 0
  }
  await database.script('vacuum full datapoint_chunks')
  await database.script('vacuum full datapoint_blocks')
}
