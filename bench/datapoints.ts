import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { Database } from '../src/db/sql.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { measureBaseline, type Baseline } from './datapoints-baseline.ts'
import type { Load, Loaded } from './datapoints-load.ts'
import { makeSeries } from './datapoints-site.ts'
import { median } from './measure.ts'
import { pgliteStores, postgresStores, startServer, type Server, type Store } from './platform.ts'
import { familyProcessorTime, processorTime } from './processes.ts'

// node bench/datapoints.ts [--quick]. How many datapoints a second a server takes in over HTTP, durably, next to what
// PostgreSQL takes in by COPY of text, in turns. With fsync, and with folding and merging going on.

const quick = process.argv.includes('--quick')
const RUNS = quick ? 1 : 3
const POINTS = quick ? 600_000 : 1_500_000
const SUSTAINED = quick ? 1_000_000 : 5_000_000

interface Case {
  readonly name: string
  readonly batch: number
  readonly connections: number
  readonly points: number
  readonly series: 'few' | 'many'
}

const CASES: readonly Case[] = [
  { name: '1,000 a batch, 8 connections', batch: 1_000, connections: 8, points: POINTS, series: 'few' },
  { name: '100 a batch, 1 connection', batch: 100, connections: 1, points: POINTS / 8, series: 'few' },
  { name: '100 a batch, 32 connections', batch: 100, connections: 32, points: POINTS / 2, series: 'few' },
  {
    name: '1,000 a batch, 8 connections, 10,000 series',
    batch: 1_000,
    connections: 8,
    points: SUSTAINED,
    series: 'many',
  },
]

let from = Date.UTC(2026, 0, 1)

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function load(options: Omit<Load, 'from'>): Promise<Loaded> {
  const child = fork(new URL('./datapoints-load.ts', import.meta.url), { execArgv: [] })
  child.send({ ...options, from })
  from += 3 * 3_600_000
  const [loaded] = (await once(child, 'message')) as [Loaded]
  return loaded
}

function percentile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN
}

interface Subject {
  readonly server: Server
  readonly few: readonly string[]
  readonly many: readonly string[]
  /** Of the database, milliseconds. */
  processorTime(): number
}

async function measure({ server, few, many, processorTime: ofDatabase }: Subject, one: Case): Promise<number> {
  const { batch, connections, points } = one
  const series = one.series === 'few' ? few : many
  const before = [processorTime(server.pid), ofDatabase()] as const
  const loaded = await load({ url: server.url, token: await server.token(), series, batch, connections, points })
  const [own, database] = [processorTime(server.pid) - before[0], ofDatabase() - before[1]]
  const perPoint = (ms: number) => `${((ms * 1_000) / loaded.points).toFixed(2)} µs`
  const [p50, p99] = [percentile(loaded.times, 0.5), percentile(loaded.times, 0.99)]
  print(
    `${one.name.padEnd(46)} ${Math.round(loaded.points / loaded.seconds / 1_000)} k/s   p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms   ` +
      `CPU a point: server ${perPoint(own)}, database ${perPoint(database)}, loader ${perPoint(loaded.cpu)}`,
  )
  return loaded.points / loaded.seconds
}

async function makeSubject(store: Store, ofDatabase: () => number): Promise<Subject> {
  // The first start makes the domain; an embedded database has one owner at a time.
  await (await startServer(store)).stop()
  const database = await store.open()
  const many = await makeSeries(database, 10_000)
  await database.close()
  return { server: await startServer(store), few: many.slice(0, 1_000), many, processorTime: ofDatabase }
}

async function sizes(database: Database): Promise<string> {
  const [row] = await database.statement<{ points: number; chunks: number; bytes: number }>(
    `select sum(count)::bigint as points, count(*) as chunks,
       (select sum(pg_total_relation_size(inhrelid))::bigint from pg_inherits where inhparent = 'datapoint_chunks'::regclass) as bytes
     from datapoint_chunks`,
  )
  if (row === undefined) return ''
  return `${(row.bytes / row.points).toFixed(1)} bytes a point on disk, ${Math.round(row.points / row.chunks)} points a chunk (${row.points} points)`
}

async function onPostgres(): Promise<number> {
  const postgres = await startPostgres({ durable: true })
  try {
    const store = await postgresStores(postgres, () => 0).create()
    const subject = await makeSubject(store, () => familyProcessorTime(postgres.pid))
    const database = await store.open()
    const baselines: Baseline[] = []
    const figures = new Map<string, number[]>()
    for (let run = 0; run < RUNS; run++) {
      baselines.push(await measureBaseline(database))
      for (const one of CASES) figures.set(one.name, [...(figures.get(one.name) ?? []), await measure(subject, one)])
    }
    const [hot, keyed] = [median(baselines.map((one) => one.hot)), median(baselines.map((one) => one.keyed))]
    print(
      `COPY of text: ${Math.round(hot / 1_000)} k/s into the same table, ${Math.round(keyed / 1_000)} k/s into one with a primary key`,
    )
    const thousand = median(figures.get(CASES[0]?.name ?? '') ?? [])
    for (const [name, all] of figures) {
      const figure = median(all)
      print(
        `${name.padEnd(46)} ${Math.round(figure / 1_000)} k/s = ${(figure / hot).toFixed(2)} × COPY, ${(figure / keyed).toFixed(2)} × COPY with key, ${(figure / thousand).toFixed(2)} × the first`,
      )
    }
    print(`while folding: ${await sizes(database)}`)
    await settle(database)
    print(`merged:        ${await sizes(database)}`)
    await subject.server.stop()
    await database.close()
    await store.remove()
    return thousand
  } finally {
    await postgres.stop()
  }
}

/** What is left of dead rows is for VACUUM, which comes in its own time. Until merging has nothing more to do. */
async function settle(database: Database): Promise<void> {
  let [before, same] = [-1, 0]
  while (same < 3) {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const [row] = await database.statement<{ chunks: number }>('select count(*) as chunks from datapoint_chunks')
    same = row?.chunks === before ? same + 1 : 0
    before = row?.chunks ?? 0
  }
  await database.script('vacuum full datapoint_chunks').catch(() => undefined)
}

async function onPglite(thousand: number): Promise<void> {
  const store = await pgliteStores().create()
  const subject = await makeSubject(store, () => 0)
  print('PGlite on disk')
  for (const one of CASES.slice(0, 1)) {
    const all: number[] = []
    for (let run = 0; run < RUNS; run++) all.push(await measure(subject, one))
    print(
      `${one.name.padEnd(46)} ${Math.round(median(all) / 1_000)} k/s = ${(median(all) / thousand).toFixed(2)} × PostgreSQL`,
    )
  }
  await subject.server.stop()
  await store.remove()
  rmSync(store.env.HOLDFAST_DATA_DIR, { recursive: true, force: true })
}

await onPglite(await onPostgres())
