import { packSeries } from '../src/datapoints/chunks/pack-series.ts'
import { INT8, nullable } from '../src/db/columns.ts'
import { migrate } from '../src/db/migrate.ts'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import { readMigrations } from '../src/db/read-migrations.ts'
import type { Database } from '../src/db/sql.ts'
import { Datapoints } from '../src/platform/datapoints/datapoints.ts'
import { withPoints } from '../src/platform/datapoints/export/export-points.ts'
import { findSeriesOf } from '../src/platform/datapoints/reading/series/find-series.ts'
import { referenceOf } from '../src/platform/datapoints/reading/series/readable-series.ts'
import { alreadyNamed, readAtOneMoment } from '../src/platform/datapoints/reading/stored/moment-reader.ts'
import { readLatest } from '../src/platform/datapoints/reading/read-datapoints.ts'
import type { DomainContext } from '../src/platform/domain-context.ts'
import type { SeriesReference } from '../src/platform/datapoints/reading/stored/point-reader.ts'
import { readBuckets } from '../src/platform/datapoints/reading/forms/read-buckets.ts'
import { readCurve } from '../src/platform/datapoints/reading/forms/read-curve.ts'
import { readPage } from '../src/platform/datapoints/reading/forms/read-page.ts'
import { storedPointReader } from '../src/platform/datapoints/reading/stored/stored-point-reader.ts'
import { encodeChunkRows, insertChunks } from '../src/store/datapoints/packed/chunks.ts'
import { ensureChunkPartition, monthOf } from '../src/store/datapoints/packed/partitions.ts'
import { makeDomain } from '../test/support/domain.ts'
import { makeSite } from '../test/support/site.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { median, timed } from './measure.ts'

// node bench/datapoints-stored.ts. Reading over ten million stored points, next to the same questions to a table with
// one row for each point and the primary key (series, time).

const SECONDS = 86_400
const LONG = 16
/** Their numbers; those of the site are small. */
const LONG_SERIES = 1_000_001
const DAYS = 7
const SHORT = 1_000
/** Of each of these, not merged yet: one for each minute. */
const FOLDS = 60
const POINTS_OF_FOLD = 10
const HOT = 10
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
  let count = 0
  for (let seriesId = LONG_SERIES; seriesId < LONG_SERIES + LONG; seriesId++) {
    for (let number = 0; number < DAYS; number++) {
      const points = day(seriesId, number, SECONDS)
      const rows = packSeries({ domainId, seriesId, kind: 'float' }, points, { compress: true })
      await database.transaction((sql) => insertChunks(sql, encodeChunkRows(rows)))
      count += SECONDS
    }
  }
  return count
}

/** Series of a site in rows of blocks, which are not merged, and some points of each that are still hot. */
async function fillSite(context: DomainContext, datapoints: Datapoints): Promise<number> {
  const site = await makeSite(context, SHORT)
  const who = { domainId: context.domain.id, actor: 'bench', systemUuid: null, units: null }
  const send = (minute: number, count: number) =>
    datapoints.ingest.add(
      who,
      site.componentUuids.flatMap((_, component) =>
        Array.from({ length: count }, (__, index) =>
          site.point('temperature', 20 + index / 8, FROM / 1_000 + minute * 60_000 + index * 1_000, component),
        ),
      ),
    )
  for (let minute = 0; minute < FOLDS; minute++) {
    await send(minute, POINTS_OF_FOLD)
    await datapoints.compactor.compact()
  }
  await send(FOLDS, HOT)
  return SHORT * (FOLDS * POINTS_OF_FOLD + HOT)
}

async function fillPlain(database: Database): Promise<void> {
  await database.script('create table plain (series integer, at timestamptz, value float8, primary key (series, at))')
  await database.script(
    `insert into plain select s, timestamptz '2026-01-05 00:00:00+00' + i * interval '1 second', 20 + 5 * sin(i / 900.0)
     from generate_series(1, ${LONG}) s, generate_series(0, ${SECONDS * DAYS - 1}) i;
     insert into plain select s, timestamptz '2026-01-05 00:00:00+00' + i * interval '1 second', 20 + 5 * sin(i / 900.0)
     from generate_series(1001, ${1_000 + SHORT}) s, generate_series(0, ${FOLDS * POINTS_OF_FOLD + HOT - 1}) i`,
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
  const context = await makeDomain(database)
  const datapoints = new Datapoints({ ...context, isAlone: true, limits: { foldAtPoints: 1e9 } })
  await ensureChunkPartition(database, monthOf(FROM))
  const count = (await fill(database, context.domain.id)) + (await fillSite(context, datapoints))
  print(`${count.toLocaleString('en-US')} points, ${(SHORT * HOT).toLocaleString('en-US')} of them hot`)
  await fillPlain(database)
  const [size] = await database.rows(
    { chunks: nullable(INT8), plain: INT8 },
    `select (select sum(pg_total_relation_size(i.inhrelid))::int8 from pg_inherits i
       where i.inhparent in ('datapoint_chunks'::regclass, 'datapoints_hot'::regclass))
       + pg_total_relation_size('datapoint_blocks') as chunks, pg_total_relation_size('plain') as plain`,
  )
  print(
    `stored: chunks, blocks and hot rows ${(size?.chunks ?? 0) >> 20} MiB, plain rows ${(size?.plain ?? 0) >> 20} MiB`,
  )
  await measure(context)
  await datapoints.close()
  await database.close()
} finally {
  await postgres.stop()
}

async function measure(context: DomainContext): Promise<void> {
  const { database, domain } = context
  const reader = storedPointReader(database, domain.id)
  const series: SeriesReference = { seriesId: LONG_SERIES + 4, kind: 'float' }
  const range = { from: FROM + SECONDS * 1e6, to: TO + SECONDS * 1e6 }
  const text = [new Date(range.from / 1000).toISOString(), new Date(range.to / 1000).toISOString()]
  await report('86,400 points, raw', async () => {
    for await (const part of reader.read([series], { ...range, order: 'oldest first' })) void part
  })
  await report('the same at one moment', () =>
    readAtOneMoment(
      database,
      domain.id,
      { to: range.to },
      async () => alreadyNamed({ found: null, series: [series] }),
      async (moment) => {
        for await (const part of moment.read([series], { ...range, order: 'oldest first' })) void part
      },
    ),
  )
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
  const query = { characteristics: ['temperature'] }
  const many = await findSeriesOf(context, { systemUuid: null, units: null }, query)
  const references = withPoints(many).map(referenceOf)
  await report('latest of 1,000 series', () => reader.latest(references, TO * 2))
  await report('the same with looking the series up', () =>
    readLatest(context, { systemUuid: null, units: null }, query, { before: TO * 2 }),
  )
  await report('the same from plain rows', () =>
    database.statement(
      `select s, l.at, l.value from generate_series(1001, ${1_000 + SHORT}) s
       cross join lateral (select at, value from plain where series = s order by at desc limit 1) l`,
    ),
  )
}
