import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startPostgres, type PostgresServer } from '../test/support/postgres-server.ts'
import { measureBaseline, type Baseline } from './datapoints-baseline.ts'
import { startInflux, type InfluxServer } from './datapoints-influx.ts'
import { reportOf, type Results } from './datapoints-report.ts'
import { fillForReads, measureInfluxReads, measureReads } from './datapoints-stored-reads.ts'
import {
  makeSubject,
  measure,
  measureInflux,
  settle,
  storedSize,
  type Case,
  type Subject,
  type Taken,
} from './datapoints-subject.ts'
import { medians } from './measure.ts'
import { pgliteStores, postgresStores } from './platform.ts'
import { familyProcessorTime } from './processes.ts'

// npm run bench:datapoints [-- --quick] [--date YYYY-MM-DD]. How many datapoints a second a server takes in over HTTP,
// durably, and how fast it reads them, next to what PostgreSQL and InfluxDB do. Linux only: it asks /proc.

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, date: { type: 'string' } } })
const isQuick = options.quick === true
const RUNS = isQuick ? 1 : 3
const POINTS = isQuick ? 600_000 : 2_000_000
/** Of sixteen series, once a second. */
const DAYS_TO_READ = isQuick ? 1 : 7

const CASES = {
  thousand: { name: '1,000 a batch, 8 connections', batch: 1_000, connections: 8, points: POINTS, series: 'few' },
  hundredOne: { name: '100 a batch, 1 connection', batch: 100, connections: 1, points: POINTS / 8, series: 'few' },
  hundredMany: { name: '100 a batch, 32 connections', batch: 100, connections: 32, points: POINTS / 2, series: 'few' },
  sustained: {
    name: '1,000 a batch, 8 connections, 10,000 series',
    batch: 1_000,
    connections: 8,
    points: isQuick ? 1_000_000 : 5_000_000,
    series: 'many',
  },
} as const satisfies { readonly [name: string]: Case }

type CaseName = keyof typeof CASES
const NAMES = Object.keys(CASES) as CaseName[]
/** A server that has just been started compiles its own code first. */
const WARM_UP: readonly Case[] = NAMES.map((name) => ({ ...CASES[name], points: POINTS / 8 }))

function tell(what: string, { perSecond, p50, p99, server, database, client }: Taken): void {
  const cpu = [server, database, client].map((micros) => micros.toFixed(2)).join(' + ')
  process.stderr.write(
    `${what.padEnd(50)} ${Math.round(perSecond / 1_000)} k/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${cpu} µs\n`,
  )
}

interface Run {
  readonly baseline: Baseline
  readonly cases: { readonly [name in CaseName]: Taken }
  readonly influx: Taken | null
}

type OnPostgres = Omit<Results, 'pglite' | 'runs'>

async function onPostgres(postgres: PostgresServer, influx: InfluxServer | null): Promise<OnPostgres> {
  const store = await postgresStores(postgres, () => 0).create()
  const subject = await makeSubject(store, () => familyProcessorTime(postgres.pid))
  const database = await store.open()
  for (const one of WARM_UP) await measure(subject, one)
  const runs: Run[] = []
  for (let run = 0; run < RUNS; run++) {
    const baseline = await measureBaseline(database)
    const cases = {} as { [name in CaseName]: Taken }
    for (const name of NAMES) tell(CASES[name].name, (cases[name] = await measure(subject, CASES[name])))
    const other = influx === null ? null : await measureInflux(influx, subject, CASES.thousand)
    if (other !== null) tell('InfluxDB', other)
    runs.push({ baseline, cases, influx: other })
  }
  const folded = await storedSize(database)
  await settle(database)
  const merged = await storedSize(database)
  await fillForReads(subject, influx, DAYS_TO_READ)
  const reads = await measureReads(subject, database, DAYS_TO_READ)
  const compared = influx === null ? null : await comparison(influx, subject, runs)
  await subject.server.stop()
  await database.close()
  await store.remove()
  const ofCase = (name: CaseName) => medians(runs.map(({ cases }) => cases[name]))
  return {
    baseline: medians(runs.map(({ baseline }) => ({ ...baseline }))),
    thousand: ofCase('thousand'),
    hundredOne: ofCase('hundredOne'),
    hundredMany: ofCase('hundredMany'),
    sustained: ofCase('sustained'),
    folded,
    merged,
    reads,
    influx: compared,
  }
}

async function comparison(
  influx: InfluxServer,
  subject: Subject,
  runs: readonly Run[],
): Promise<Exclude<Results['influx'], null>> {
  return {
    version: influx.version,
    thousand: medians(runs.flatMap(({ influx: taken }) => (taken === null ? [] : [taken]))),
    reads: await measureInfluxReads(influx, subject, DAYS_TO_READ),
  }
}

async function onPglite(): Promise<Taken> {
  const store = await pgliteStores().create()
  const subject = await makeSubject(store, () => 0)
  await measure(subject, { ...CASES.thousand, points: POINTS / 8 })
  const all: Taken[] = []
  for (let run = 0; run < RUNS; run++) {
    const taken = await measure(subject, CASES.thousand)
    tell('PGlite', taken)
    all.push(taken)
  }
  await subject.server.stop()
  await store.remove()
  return medians(all)
}

const influx = await startInflux()
const postgres = await startPostgres({ durable: true })
try {
  const results = { ...(await onPostgres(postgres, influx)), pglite: await onPglite(), runs: RUNS }
  const report = reportOf(results, options.date ?? new Date().toISOString().slice(0, 10))
  process.stdout.write(`${report}\n`)
  if (!isQuick) writeFileSync(new URL('./datapoints.md', import.meta.url), report)
} finally {
  await influx?.stop()
  await postgres.stop()
}
