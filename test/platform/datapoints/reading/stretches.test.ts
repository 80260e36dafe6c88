import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Bucket } from '../../../../src/datapoints/buckets/fill.ts'
import { FLOAT8, INT8 } from '../../../../src/db/columns.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { findSeriesOf } from '../../../support/find-series.ts'
import { referenceOf } from '../../../../src/platform/datapoints/reading/series/readable-series.ts'
import { atOneMoment } from './at-one-moment.ts'
import { bySql, FIGURES, type Asked } from './plain-buckets.ts'
import { endsAndExtremes, extremesByUnit, extremesOfAll, lacking, type PlainPoint } from './plain-curves.ts'
import type { SeriesReference } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'
import { readBuckets } from '../../../../src/platform/datapoints/reading/forms/read-buckets.ts'
import { readCurve, type CurveQuery } from '../../../../src/platform/datapoints/reading/forms/read-curve.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { countingDatabase, type CountingDatabase } from '../../../support/counting-database.ts'
import { POSTGRES } from '../../../support/databases.ts'
import { emptyDomain, makeDomain } from '../../../support/domain.ts'
import { runsOf } from '../../../support/runs.ts'
import { makeSite, type Site } from '../../../support/site.ts'

// Buckets of what is stored, in chunks of which only the summaries are read, next to those that SQL makes of the same
// points in a plain table.

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2026, 1, 27, 20)
const END = BEGIN + 3 * DAY
const ANYBODY = { systemUuid: null, units: null }

let database: CountingDatabase
let context: DomainContext
let site: Site
let datapoints: Datapoints

beforeAll(async () => {
  database = countingDatabase(await POSTGRES.openMigrated())
  context = await makeDomain(database)
  await database.script('create table plain (at bigint primary key, value float8 not null)')
})
afterAll(() => database.close())

async function begin(leastOfChunk = 1): Promise<void> {
  await emptyDomain(context)
  await database.script('truncate plain')
  site = await makeSite(context, 1)
  datapoints = new Datapoints({ ...context, isAlone: true, limits: { leastOfChunk, rowsOfLevel: 2 } })
}

interface Written {
  readonly ms: number
  readonly value: number
}

async function write(points: readonly Written[]): Promise<void> {
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const elements = points.map(({ ms, value }) => site.point('temperature', value, ms))
  expect((await datapoints.ingest.add(who, elements)).errors).toStrictEqual([])
  await database.statement(
    `insert into plain select distinct on (at) at, value from unnest($1::bigint[], $2::float8[]) with ordinality t (at, value, place)
     order by at, place desc on conflict (at) do update set value = excluded.value`,
    [points.map(({ ms }) => String(ms * 1_000)), points.map(({ value }) => String(value))],
  )
}

async function theSeries(): Promise<SeriesReference> {
  const [series] = await findSeriesOf(context, ANYBODY, {})
  if (series?.id == null) throw new Error('there is no series')
  return referenceOf({ ...series, id: series.id })
}

async function stored({ interval, timeZone, from, to }: Asked): Promise<readonly Bucket[]> {
  const series = await theSeries()
  const query = { interval, timeZone, from, to, aggregations: FIGURES, fill: 'none' as const, now: to }
  return atOneMoment(database, context.domain.id, [series], to, (reader) => readBuckets(reader, series, query))
}

const value = fc.integer({ min: -10_000, max: 10_000 }).map((whole) => whole / 8)
const burst = fc.record({
  /** Every so many seconds, from a second of the range on. */
  step: fc.constantFrom(7, 10, 20, 60, 900),
  from: fc.integer({ min: 0, max: (END - BEGIN) / SECOND - 1 }),
  count: fc.integer({ min: 1, max: 3_000 }),
  values: fc.array(value, { minLength: 5, maxLength: 40 }),
  afterwards: fc.constantFrom('nothing', 'fold', 'pack', 'merge', 'join'),
})
const asked = fc.record<Asked>({
  interval: fc.constantFrom('PT1H', 'P1D', 'P1W', 'P1M', 'PT30M', 'PT7H'),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns'),
  from: fc.integer({ min: 0, max: 40 }).map((hours) => (BEGIN + hours * HOUR) * 1_000 + (hours % 3) * 7),
  to: fc.integer({ min: 41, max: 80 }).map((hours) => (BEGIN + hours * HOUR) * 1_000 + (hours % 2) * 1_001),
})

const drawn = fc.record({
  from: fc.integer({ min: 0, max: 40 }).map((hours) => (BEGIN + hours * HOUR) * 1_000 + (hours % 3) * 1_234_567),
  hours: fc.integer({ min: 1, max: 80 }),
  maxPoints: fc.oneof(fc.integer({ min: 4, max: 30 }), fc.integer({ min: 31, max: 250 })),
})

type Drawing<Value> = Value extends fc.Arbitrary<infer Drawn> ? Drawn : never
type Case = [Drawing<typeof burst>[], Asked[], Drawing<typeof drawn>[], leastOfChunk: number]

const EVENING = { interval: 'PT1H', timeZone: 'UTC', from: BEGIN * 1_000, to: (BEGIN + 41 * HOUR) * 1_000 }
/** Six points, of which summaries know five, and a curve that may have six. */
const NO_MORE_THAN_ASKED_FOR: Case = [
  [
    { step: 7, from: 0, count: 1, values: [0], afterwards: 'nothing' },
    { step: 7, from: 14_386, count: 5, values: [0], afterwards: 'pack' },
  ],
  [EVENING],
  [{ from: BEGIN * 1_000, hours: 5, maxPoints: 6 }],
  1,
]
const BY_THE_HOUR: Case = [
  [{ step: 10, from: 0, count: 3_000, values: [1, 5, 2, 4, 3, 0, 6], afterwards: 'merge' }],
  [EVENING],
  [{ from: BEGIN * 1_000, hours: 20, maxPoints: 20 }],
  1,
]

it(
  'buckets are those of SQL, and curves have the extremes that are stored, whatever was written over, came late, is folded, merged and joined',
  { timeout: 180_000 },
  async () => {
    let summarized = 0
    const property = fc.asyncProperty(
      fc.array(burst, { minLength: 1, maxLength: 8 }),
      fc.array(asked, { minLength: 3, maxLength: 5 }),
      fc.array(drawn, { minLength: 3, maxLength: 5 }),
      fc.constantFrom(1, 600),
      async (bursts, questions, curves, leastOfChunk) => {
        await begin(leastOfChunk)
        for (const { step, from, count, values, afterwards } of bursts) {
          await write(
            Array.from({ length: count }, (_, index) => ({
              ms: BEGIN + (from + index * step) * SECOND,
              value: values[index % values.length] ?? 0,
            })).filter(({ ms }) => ms < END),
          )
          if (afterwards !== 'nothing') await datapoints.compactor.compact()
          if (afterwards !== 'fold') await packAll()
          if (afterwards === 'merge') await mergeAll()
          if (afterwards === 'join') await joinAll()
        }
        for (const question of questions)
          expect(await roundedStored(question)).toStrictEqual(await bySql(database, question))
        for (const { from, hours, maxPoints } of curves)
          if (await isOfSummaries({ from, to: from + hours * HOUR * 1_000, maxPoints })) summarized += 1
        await datapoints.close()
      },
    )
    const numRuns = runsOf('BUCKET_RUNS', { sample: 12, long: 100 })
    await fc.assert(property, { numRuns, examples: [NO_MORE_THAN_ASKED_FOR, BY_THE_HOUR] })
    expect(summarized).toBeGreaterThan(0)
  },
)

/** Draws a curve in both ways and compares it with the points in the plain table. The result: whether it is by the hour or day. */
async function isOfSummaries(query: Omit<CurveQuery, 'thinning'>): Promise<boolean> {
  const all = await pointsBySql(query)
  const look = await drawCurve({ ...query, thinning: 'shape' })
  expect(look.length).toBeLessThanOrEqual(query.maxPoints)
  expect(lacking(look, all)).toStrictEqual([])
  expect(endsAndExtremes(look)).toStrictEqual(endsAndExtremes(all))
  const extremes = await drawCurve({ ...query, thinning: 'extremes' })
  const byUnit = [HOUR, DAY].map((unit) => extremesByUnit(all, query.maxPoints, unit * 1_000))
  const byRawPoints = extremesOfAll(all, query.maxPoints)
  expect(extremes.length).toBeLessThanOrEqual(query.maxPoints)
  expect(lacking(extremes, all)).toStrictEqual([])
  expect([...byUnit, byRawPoints].map((expected) => lacking(expected, extremes))).toContainEqual([])
  return all.length > query.maxPoints && lacking(byRawPoints, extremes).length > 0
}

const PLAIN = { at: INT8, value: FLOAT8 }

async function pointsBySql({ from, to }: { readonly from: number; readonly to: number }): Promise<PlainPoint[]> {
  const text = 'select at, value from plain where at >= $1 and at < $2 order by at'
  return (await database.rows(PLAIN, text, [from, to])).map(({ at, value }) => [at, value])
}

/** Of the stored points no more are read than of which only summaries are not known. */
async function drawCurve(query: CurveQuery): Promise<PlainPoint[]> {
  const series = await theSeries()
  const curve = await atOneMoment(database, context.domain.id, [series], query.to, (reader) =>
    readCurve(reader, series, query, { few: 0, most: 1e6 }),
  )
  return Array.from(curve?.at ?? [], (at, index) => [at, Number(curve?.values[index])])
}

/** A mean is rounded once by us, and a difference as SQL does it. */
async function roundedStored(question: Asked): Promise<unknown[]> {
  return (await stored(question)).map(({ cells, ...bucket }) => {
    const { sum, count } = cells
    expect(Math.abs(Number(cells.avg) - Number(sum) / Number(count))).toBeLessThan(1e-10)
    return { ...bucket, cells: { ...cells, avg: Number(sum) / Number(count) } }
  })
}

/** Packs all that is in blocks into chunks, as when its day is over. */
async function packAll(): Promise<void> {
  while (await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)) continue
}

async function mergeAll(): Promise<void> {
  await datapoints.merger.sweep()
  while (await datapoints.merger.merge(Number.MAX_SAFE_INTEGER)) continue
}

async function joinAll(): Promise<void> {
  const now = (BEGIN + 100 * DAY) * 1_000
  await datapoints.joiner.sweep(now)
  while (await datapoints.joiner.join(now)) continue
}

/** Whether `work` reads the points of chunks. */
async function readsPoints(work: () => Promise<unknown>): Promise<boolean> {
  database.statements.length = 0
  await work()
  return database.statements.some((text) => /chunks\.points|"seriesId", points\s+from/.test(text))
}

const DENSE = Array.from({ length: (2 * DAY) / (10 * SECOND) }, (_, index) => ({
  ms: BEGIN + index * 10 * SECOND,
  value: (index % 997) / 8,
}))
const byHour = (timeZone: string): Asked => ({
  interval: 'PT1H',
  timeZone,
  from: BEGIN * 1_000,
  to: (BEGIN + 2 * DAY) * 1_000,
})

it('buckets of whole hours in a zone of whole hours unpack nothing, and after a late point few chunks', async () => {
  await begin()
  for (let start = 0; start < DENSE.length; start += 5_000) await write(DENSE.slice(start, start + 5_000))
  await datapoints.compactor.compact()
  await mergeAll()
  const berlin = { ...byHour('Europe/Berlin'), interval: 'P1D' }
  for (const question of [byHour('UTC'), berlin]) {
    expect(await readsPoints(() => stored(question))).toBe(false)
    expect(await roundedStored(question)).toStrictEqual(await bySql(database, question))
  }
  expect(await readsPoints(() => stored({ ...berlin, timeZone: 'Asia/Kolkata' }))).toBe(true)
  // Over one that is in a chunk: first not folded, then in a chunk of its own.
  await write([{ ms: BEGIN + DAY, value: -5_000 }])
  for (const step of ['hot', 'folded', 'packed']) {
    expect([step, await readsPoints(() => stored(byHour('UTC')))]).toStrictEqual([step, true])
    expect(await roundedStored(byHour('UTC'))).toStrictEqual(await bySql(database, byHour('UTC')))
    await datapoints.compactor.compact()
  }
  await datapoints.close()
})

it('two spikes within one chunk are both drawn, where they are not of one stretch of time', async () => {
  await begin()
  const spikes = new Map([
    [1_000, 900],
    [1_300, 800],
    [1_310, 700],
  ])
  const points = DENSE.map((point, index) => ({ ...point, value: spikes.get(index) ?? point.value / 1_000 }))
  for (let start = 0; start < points.length; start += 5_000) await write(points.slice(start, start + 5_000))
  await datapoints.compactor.compact()
  // A chunk of four hours has all of them, and the last two are of the same hour.
  const query = { from: BEGIN * 1_000, to: (BEGIN + 2 * DAY) * 1_000, maxPoints: 100, thinning: 'extremes' as const }
  let curve: PlainPoint[] = []
  expect(await readsPoints(async () => (curve = await drawCurve(query)))).toBe(false)
  expect(curve.flatMap(([, value]) => (value >= 700 ? [value] : []))).toStrictEqual([900, 800])
  await datapoints.close()
})

it('a curve of very many points is drawn from their summaries, with the smallest and the largest value', async () => {
  await begin()
  const low = DENSE.length / 3
  const points = DENSE.map((point, index) => (index === low ? { ...point, value: -900 } : point))
  for (let start = 0; start < points.length; start += 5_000) await write(points.slice(start, start + 5_000))
  await datapoints.compactor.compact()
  const series = await theSeries()
  const [from, to] = [BEGIN * 1_000, (BEGIN + 2 * DAY) * 1_000]
  const curve = (thinning: 'shape' | 'extremes', most: number) =>
    atOneMoment(database, context.domain.id, [series], to, (reader) =>
      readCurve(reader, series, { from, to, maxPoints: 16, thinning }, { few: 1_000, most }),
    )
  for (const thinning of ['shape', 'extremes'] as const) {
    expect(await readsPoints(() => curve(thinning, 1e6))).toBe(false)
    const drawn = await curve(thinning, 1e6)
    expect(drawn?.at.length).toBeLessThanOrEqual(16)
    expect([drawn?.at[0], drawn?.at.at(-1)]).toStrictEqual(
      [points[0], points.at(-1)].map((point) => (point?.ms ?? 0) * 1_000),
    )
    expect(Math.min(...Array.from(drawn?.values ?? [], Number))).toBe(-900)
  }
  await expect(curve('shape', 50)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  await datapoints.close()
})
