import { packSeries } from '../src/datapoints/pack-series.ts'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres.ts'
import { readMigrations } from '../src/db/read-migrations.ts'
import type { Database } from '../src/db/sql.ts'
import type { SeriesReference } from '../src/platform/datapoints/point-reader.ts'
import { readBuckets } from '../src/platform/datapoints/read-buckets.ts'
import { readCurve } from '../src/platform/datapoints/read-thinned.ts'
import { readPage } from '../src/platform/datapoints/read-page.ts'
import { storedPointReader } from '../src/platform/datapoints/stored-point-reader.ts'
import { encodeChunkRows, insertChunks } from '../src/store/datapoints/chunks.ts'
import { ensureChunkPartition, monthOf } from '../src/store/datapoints/partitions.ts'
import { ensureDomain } from '../src/store/domains.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { median, timed } from './measure.ts'

// node bench/datapoints-stored.ts. Reading over ten million stored points, next to the same questions to a table with
// one row for each point and the primary key (series, time).

const SECONDS = 86_400
const LONG = 16
const DAYS = 7
const SHORT = 1_000
const RUNS = 15
const FROM = Date.UTC(2026, 0, 5) * 1_000
const TO = FROM + SECONDS * 1_000_000

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** The same in every run (Numerical Recipes' generator), and nothing that compression could guess. */
let state = 1
function noise(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}

function day(seriesId: number, number: number, seconds: number) {
  const at = Float64Array.from({ length: seconds }, (_, index) => FROM + (number * SECONDS + index) * 1_000_000)
  const values = Float64Array.from(
    at,
    (_, index) => Math.round(2_000 + 500 * Math.sin((index + seriesId * 97) / 900) + 10 * noise()) / 100,
  )
  return { at, values, generation: 1 }
}

async function fill(database: Database, domainId: number): Promise<number> {
  const sizes = [
    ...Array.from({ length: LONG }, (_, index) => ({ seriesId: index + 1, days: DAYS, seconds: SECONDS })),
    ...Array.from({ length: SHORT }, (_, index) => ({ seriesId: 1_001 + index, days: 1, seconds: 600 })),
  ]
  let count = 0
  for (const { seriesId, days, seconds } of sizes) {
    for (let number = 0; number < days; number++) {
      const points = day(seriesId, number, seconds)
      const rows = packSeries({ domainId, seriesId, kind: 'float' }, points, { compress: true })
      await database.transaction((sql) => insertChunks(sql, encodeChunkRows(rows)))
      count += seconds
    }
  }
  return count
}

async function fillPlain(database: Database): Promise<void> {
  await database.script('create table plain (series integer, at timestamptz, value float8, primary key (series, at))')
  await database.script(
    `insert into plain select s, timestamptz '2026-01-05 00:00:00+00' + i * interval '1 second', 20 + 5 * sin(i / 900.0)
     from generate_series(1, ${LONG}) s, generate_series(0, ${SECONDS * DAYS - 1}) i;
     insert into plain select s, timestamptz '2026-01-05 00:00:00+00' + i * interval '1 second', 20 + 5 * sin(i / 900.0)
     from generate_series(1001, ${1_000 + SHORT}) s, generate_series(0, 599) i`,
  )
  await database.script('vacuum analyze plain')
  await database.script('vacuum analyze datapoint_chunks')
}

async function report(what: string, work: () => Promise<unknown>): Promise<void> {
  await work()
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await timed(work))
  print(`${what.padEnd(52)} ${median(times).toFixed(1).padStart(8)} ms`)
}

const postgres = await startPostgres({ durable: true })
try {
  const database = await openPostgres(`${postgres.url}/postgres`, { maxConnections: 4 })
  await migrate(database, await readMigrations(new URL('../src/db/migrations', import.meta.url)))
  const domain = await database.transaction((sql) =>
    ensureDomain(sql, { uuid: crypto.randomUUID(), slug: 'bench', name: 'Bench', hostNames: ['bench.example'] }),
  )
  await ensureChunkPartition(database, monthOf(FROM))
  print(`${(await fill(database, domain.id)).toLocaleString('en-US')} points`)
  await fillPlain(database)
  const [size] = await database.statement<{ chunks: number; plain: number }>(
    `select (select sum(pg_total_relation_size(i.inhrelid))::int8 from pg_inherits i
       where i.inhparent = 'datapoint_chunks'::regclass) as chunks, pg_total_relation_size('plain') as plain`,
  )
  print(`stored: chunks ${(size?.chunks ?? 0) >> 20} MiB, plain rows ${(size?.plain ?? 0) >> 20} MiB`)
  await measure(database, domain.id)
  await database.close()
} finally {
  await postgres.stop()
}

async function measure(database: Database, domainId: number): Promise<void> {
  const reader = storedPointReader(database, domainId)
  const series: SeriesReference = { seriesId: 5, kind: 'float' }
  const range = { from: FROM + SECONDS * 1e6, to: TO + SECONDS * 1e6 }
  const text = [new Date(range.from / 1000).toISOString(), new Date(range.to / 1000).toISOString()]
  await report('86,400 points, raw', async () => {
    for await (const part of reader.read([series], { ...range, order: 'oldest first' })) void part
  })
  await report('the same from plain rows', () =>
    database.statement(
      'select extract(epoch from at)::float8 as at, value from plain where series = 5 and at >= $1 and at < $2 order by at',
      text,
    ),
  )
  await report('1-minute means of them', () =>
    readBuckets(reader, series, {
      ...range,
      interval: 'PT1M',
      timeZone: 'UTC',
      aggregations: ['avg'],
      fill: 'none',
      now: TO * 2,
    }),
  )
  await report('the same from plain rows', () =>
    database.statement(
      `select date_bin('1 minute', at, 'epoch') as minute, avg(value) from plain where series = 5 and at >= $1 and at < $2 group by 1 order by 1`,
      text,
    ),
  )
  await report('1,000 points of a curve of 86,400', () =>
    readCurve(reader, series, { ...range, maxPoints: 1_000, thinning: 'shape' }),
  )
  await report('the newest 100 of all 7 days', () =>
    readPage(reader, series, { from: 0, to: TO * 2, order: 'newest first', first: 100 }),
  )
  const many = Array.from({ length: SHORT }, (_, index): SeriesReference => ({
    seriesId: 1_001 + index,
    kind: 'float',
  }))
  await report('latest of 1,000 series', () => reader.latest(many, TO * 2))
  await report('the same from plain rows', () =>
    database.statement(
      `select s, l.at, l.value from generate_series(1001, ${1_000 + SHORT}) s
       cross join lateral (select at, value from plain where series = s order by at desc limit 1) l`,
    ),
  )
}
