import { INT8 } from '../src/db/columns.ts'
import type { Database } from '../src/db/sql.ts'
import { startPostgres, type PostgresServer } from '../test/support/postgres-server.ts'
import { aboutInflux, startInflux, type InfluxServer } from './influx.ts'
import { send, toHoldfast, type Sending } from './load.ts'
import { median, medians, takeTurns, timed } from './measure.ts'
import { goalTable, hundredths, ON_POSTGRES, tenths, whole, type Options, type Report, type Size } from './report.ts'
import {
  cellsOf,
  lineOf,
  measureCopy,
  measureCopyKeyed,
  measureOddSending,
  measureSending,
  sendToInflux,
  TAKEN,
  type Subject,
  type Taken,
} from './sending.ts'
import { namesOf, openSite, pgliteStore, postgresStore, startServer, type Server, type Store } from './server.ts'
import { openReader, removeDeadRows, untilSettled } from './stored.ts'
import { DATAPOINTS } from './targets.ts'

// npm run bench:datapoints: how many datapoints a second a server takes in over HTTP, durably, and how fast it reads them,
// next to PostgreSQL and InfluxDB. `--parts familiar` measures only what the reader of familiar batches is worth
// (docs/decisions/0032).

/** `days`: to read, of sixteen series, once a second. */
const SIZES: { readonly [size in Size]: { runs: number; points: number; sustained: number; days: number } } = {
  whole: { runs: 3, points: 2_000_000, sustained: 5_000_000, days: 7 },
  night: { runs: 1, points: 600_000, sustained: 1_000_000, days: 1 },
  quick: { runs: 1, points: 40_000, sustained: 40_000, days: 1 },
}

export async function bench({ size, parts }: Options): Promise<Report> {
  const postgres = await startPostgres({ durable: true })
  if (parts === undefined) return wholeReport(postgres, size)
  if (parts.join() === 'familiar') return familiarReport(postgres, size)
  throw new Error(`there are no parts ${parts.join()}; possible is familiar`)
}

interface Filled extends Subject {
  /** A thousand series, and ten thousand of which these are a part. */
  readonly few: readonly string[]
  readonly many: readonly string[]
}

async function makeSubject(store: Store): Promise<Filled> {
  // The first start makes the domain; an embedded database has one owner at a time.
  await (await startServer(store)).stop()
  const database = await store.open()
  const many = await (await openSite(database)).add(10_000)
  await database.close()
  return { server: await startServer(store), store, few: many.slice(0, 1_000), many }
}

/** The loads of a run. */
function loadsOf({ few, many }: Filled, size: Size) {
  const { points, sustained } = SIZES[size]
  return {
    thousand: { series: few, batch: 1_000, connections: 8, points },
    hundredOne: { series: few, batch: 100, connections: 1, points: points / 8 },
    hundredMany: { series: few, batch: 100, connections: 32, points: points / 2 },
    sustained: { series: many, batch: 1_000, connections: 8, points: sustained },
  }
}

async function wholeReport(postgres: PostgresServer, size: Size): Promise<Report> {
  const { runs, points, days } = SIZES[size]
  const influx = await startInflux()
  const store = await postgresStore(postgres)
  const subject = await makeSubject(store)
  const database = await store.open()
  const loads = loadsOf(subject, size)
  const load = (name: keyof typeof loads) => measureSending(subject, loads[name], name)

  // A server that has just been started compiles its own code first.
  for (const one of Object.values(loads)) await measureSending(subject, { ...one, points: points / 8 }, 'warming up')

  const measureRun = async () => ({
    copy: await measureCopy(database),
    copyKeyed: await measureCopyKeyed(database),
    thousand: await load('thousand'),
    hundredOne: await load('hundredOne'),
    hundredMany: await load('hundredMany'),
    sustained: await load('sustained'),
    influx: influx && (await sendToInflux(influx, loads.thousand)),
  })
  const [samples = []] = await takeTurns(runs, [measureRun])
  const taken = (name: keyof typeof loads) => medians(samples.map((sample) => sample[name]))
  const [thousand, hundredOne, hundredMany] = [taken('thousand'), taken('hundredOne'), taken('hundredMany')]
  const sustained = taken('sustained')
  const influxTaken = influx && medians(samples.flatMap((sample) => sample.influx ?? []))
  const [copy, copyKeyed] = [median(samples.map((one) => one.copy)), median(samples.map((one) => one.copyKeyed))]

  const settle = async () => {
    await untilSettled(database, PATIENCE_SECONDS)
    await removeDeadRows(database)
  }
  const folded = await storedSize(database)
  await settle()
  const merged = await storedSize(database)

  const series = subject.many.slice(-READ_SERIES)
  await fillForReads(subject.server, influx, series, days)
  await settle()
  const reads = await measureReads(subject.server, series[0] ?? '', days)
  const influxReads = influx && (await measureInfluxReads(influx, series[0] ?? '', days))
  await subject.server.stop()
  await postgres.stop()

  const pglite = await measurePglite(size)

  const rows: [string, Taken][] = [
    ['1,000 a batch, 8 connections, 1,000 series', thousand],
    ['100 a batch, 1 connection', hundredOne],
    ['100 a batch, 32 connections', hundredMany],
    ['1,000 a batch, 8 connections, 10,000 series, sustained', sustained],
    ['1,000 a batch, 8 connections, on PGlite', pglite],
    ...(influxTaken === null ? [] : ([['InfluxDB: 1,000 a batch, 8 connections', influxTaken]] as [string, Taken][])),
  ]
  const against = (one: Taken) => one.perSecond / thousand.perSecond
  return {
    title: 'Datapoints',
    about: `${ON_POSTGRES} ${aboutInflux(influx)}

Server, database and the client that sends share the machine; points are folded and merged meanwhile. Figures are medians of ${runs} ${runs === 1 ? 'run' : 'runs'}, each of which takes all loads and the baselines in turn. The baselines are one \`COPY … FROM STDIN\` of a million rows of text that was made before, on one connection: into the table that points arrive in, without its partitions, and into one with a primary key (series, time). PGlite never calls fsync.`,
    blocks: [
      {
        columns: ['', ...TAKEN, 'client'],
        rows: [
          ...rows.map(([what, one]) => [what, ...cellsOf(one), hundredths(one.client)]),
          ['COPY of text, without a key', whole(copy), '', '', '', '', ''],
          ['COPY of text, with a primary key', whole(copyKeyed), '', '', '', '', ''],
        ],
      },
      {
        columns: ['read over HTTP as JSON, ms', 'Holdfast', 'InfluxDB'],
        rows: [
          [
            '24 hours of one a second: all 86,400 points',
            tenths(reads.all),
            influxReads ? tenths(influxReads.all) : '',
          ],
          ['its means of each minute', tenths(reads.means), influxReads ? tenths(influxReads.means) : ''],
        ],
      },
      goalTable([
        { ...DATAPOINTS.copy, actual: thousand.perSecond / copy },
        { ...DATAPOINTS.copyKeyed, actual: thousand.perSecond / copyKeyed },
        { ...DATAPOINTS.influx, actual: influxTaken ? thousand.perSecond / influxTaken.perSecond : undefined },
        { ...DATAPOINTS.sustained, actual: against(sustained) },
        { ...DATAPOINTS.sustainedTail, actual: sustained.p99 / sustained.p50 },
        { ...DATAPOINTS.hundredOne, actual: against(hundredOne) },
        { ...DATAPOINTS.hundredMany, actual: against(hundredMany) },
        { ...DATAPOINTS.folded, actual: folded },
        { ...DATAPOINTS.merged, actual: merged },
        { ...DATAPOINTS.readAll, actual: influxReads ? reads.all / influxReads.all : undefined },
        { ...DATAPOINTS.readMeans, actual: influxReads ? reads.means / influxReads.means : undefined },
        { ...DATAPOINTS.pglite, actual: pglite.perSecond / 1_000 },
        { ...DATAPOINTS.pgliteRatio, actual: against(pglite) },
      ]),
    ],
  }
}

async function measurePglite(size: Size): Promise<Taken> {
  const subject = await makeSubject(await pgliteStore())
  const { thousand } = loadsOf(subject, size)
  await measureSending(subject, { ...thousand, points: thousand.points / 8 }, 'warming up')
  const samples: Taken[] = []
  while (samples.length < SIZES[size].runs) samples.push(await measureSending(subject, thousand, 'PGlite'))
  await subject.server.stop()
  return medians(samples)
}

/** Bytes on disk for a point, with indexes. */
async function storedSize(database: Database): Promise<number> {
  const [row] = await database.rows(
    { points: INT8, bytes: INT8 },
    `select ((select coalesce(sum(count), 0) from datapoint_chunks) + (select coalesce(sum(count), 0) from datapoint_blocks))::bigint
         as points, pg_total_relation_size('datapoint_blocks') + (select coalesce(sum(pg_total_relation_size(inhrelid)), 0)
         from pg_inherits where inhparent = 'datapoint_chunks'::regclass)::bigint as bytes`,
  )
  return row === undefined ? Number.NaN : row.bytes / row.points
}

const PATIENCE_SECONDS = 600

const READ_SERIES = 16
const READ_FROM = Date.UTC(2026, 2, 1)
const READ_RUNS = 9
const DAY_SECONDS = 86_400

/** Milliseconds to read one day of one series, once a second: all its points, and its means of each minute. */
interface Reads {
  readonly all: number
  readonly means: number
}

async function fillForReads(
  server: Server,
  influx: InfluxServer | null,
  series: readonly string[],
  days: number,
): Promise<void> {
  const size = { batch: 5_000, connections: 4, points: READ_SERIES * DAY_SECONDS * days, from: READ_FROM }
  await send({ ...toHoldfast(server.url, await server.token()), ...size, series })
  if (influx !== null) await send({ ...influx.receiver, ...size, series: series.map(lineOf) })
}

async function measureReads(server: Server, series: string, days: number): Promise<Reads> {
  const reader = await openReader(server)
  const get = async (query: { readonly [name: string]: string }) =>
    (await reader.points(series, { ...middleDay(days), ...query })) ?? ''
  return {
    all: await medianTime(() => get({ first: String(DAY_SECONDS) }), DAY_SECONDS),
    means: await medianTime(() => get({ interval: 'PT1M', aggregations: 'avg', fill: 'none' }), DAY_SECONDS / 60),
  }
}

async function measureInfluxReads(influx: InfluxServer, series: string, days: number): Promise<Reads> {
  const { characteristic_uuid: characteristic, component_uuid: component } = namesOf(series)
  const { from, to } = middleDay(days)
  const where = `characteristic = '${characteristic}' and component = '${component}' and time >= '${from}' and time < '${to}'`
  const means = `select mean(value) from points where ${where} group by time(1m)`
  return {
    all: await medianTime(() => influx.query(`select value from points where ${where}`), DAY_SECONDS),
    means: await medianTime(() => influx.query(means), DAY_SECONDS / 60),
  }
}

function middleDay(days: number) {
  const begin = READ_FROM + Math.floor(days / 2) * DAY_SECONDS * 1_000
  return { from: new Date(begin).toISOString(), to: new Date(begin + DAY_SECONDS * 1_000).toISOString() }
}

/** Each of the things that are read takes more than ten characters of JSON. */
async function medianTime(read: () => Promise<string>, things: number): Promise<number> {
  const answer = await read()
  if (answer.length < things * 10) throw new Error(`too little was read: ${answer.slice(0, 500)}`)
  const times: number[] = []
  while (times.length < READ_RUNS) times.push(await timed(read))
  return median(times)
}

async function familiarReport(postgres: PostgresServer, size: Size): Promise<Report> {
  const subject = await makeSubject(await postgresStore(postgres))
  const { thousand, hundredMany } = loadsOf(subject, size)
  const cases: readonly [string, Sending][] = [
    ['1,000 a batch, 8 connections', thousand],
    ['100 a batch, 32 connections', hundredMany],
  ]
  const rows: string[][] = []
  for (const [what, sending] of cases) {
    const [usual = [], odd = []] = await takeTurns(SIZES[size].runs + 1, [
      () => measureSending(subject, sending, `${what}, as usual`),
      () => measureOddSending(subject, sending, `${what}, by JSON.parse`),
    ])
    // The first turn warms up.
    rows.push([`${what}, as usual`, ...cellsOf(medians(usual.slice(1)))])
    rows.push([`${what}, by JSON.parse`, ...cellsOf(medians(odd.slice(1)))])
  }
  const about = `${ON_POSTGRES} The same points are sent as programs write them, and with a blank after the first bracket, so that JSON.parse reads them. The two take turns.`
  return { title: 'Familiar batches', about, blocks: [{ columns: ['', ...TAKEN], rows }] }
}
