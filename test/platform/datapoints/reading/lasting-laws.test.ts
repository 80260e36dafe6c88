import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { Columns } from '../../../../src/datapoints/chunks/point-columns.ts'
import { earliestKept } from '../../../../src/datapoints/retention-time.ts'
import { FULL, LASTING } from '../../../../src/datapoints/segments/block-levels.ts'
import { INT4, INT8 } from '../../../../src/db/columns.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { exportPoints, withPoints } from '../../../../src/platform/datapoints/export/export-points.ts'
import { readBuckets } from '../../../../src/platform/datapoints/reading/forms/read-buckets.ts'
import { readCurve } from '../../../../src/platform/datapoints/reading/forms/read-curve.ts'
import { readPage } from '../../../../src/platform/datapoints/reading/forms/read-page.ts'
import { readStates } from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import { END_OF_TIME } from '../../../../src/platform/datapoints/reading/reading-query.ts'
import { findSeriesOf } from '../../../support/find-series.ts'
import { referenceOf, type ReadableSeries } from '../../../../src/platform/datapoints/reading/series/readable-series.ts'
import type { PointReader, SeriesReference } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { setRetention } from '../../../../src/platform/datapoints/retention/set-retention.ts'
import { POSTGRES } from '../../../support/databases.ts'
import { applyAll, emptyDomain, makeDomain } from '../../../support/domain.ts'
import { runsOf } from '../../../support/runs.ts'
import { makeSite, SITE_MODEL, type Site } from '../../../support/site.ts'
import { atOneMoment } from './at-one-moment.ts'
import { memoryReader } from './memory-reader.ts'
import { endsAndExtremes, type PlainPoint } from './plain-curves.ts'
import { database, useDatabase } from '../../../support/one-database.ts'

// What is old and little lasts in rows of its block. Two servers take it there while months go by, points come late and over
// others, a series is deleted and a retention set: whatever is read is what a plain table has.

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2026, 0, 10)
const ANYBODY = { systemUuid: null, units: null }
const CODES = ['temperature', 'count', 'open', 'note'] as const
type Code = (typeof CODES)[number]
const KEEP = 'P60D'

type Step =
  | {
      readonly kind: 'write'
      readonly server: number
      readonly code: Code
      readonly sensor: number
      readonly daysBack: number
      readonly hours: number
      readonly count: number
    }
  | { readonly kind: 'pass'; readonly days: number; readonly servers: readonly number[] }
  | { readonly kind: 'raise' | 'fill' | 'delete' | 'retain' | 'expire' }

const write = fc.record({
  kind: fc.constant('write' as const),
  server: fc.nat(1),
  code: fc.constantFrom(...CODES),
  sensor: fc.nat(1),
  daysBack: fc.integer({ min: 0, max: 100 }),
  hours: fc.constantFrom(1, 2, 24, 100),
  count: fc.integer({ min: 1, max: 400 }),
})
const pass = fc.record({
  kind: fc.constant('pass' as const),
  days: fc.constantFrom(0, 1, 2, 8, 8, 8, 31, 70),
  servers: fc.constantFrom([0], [1], [0, 1]),
})
const rare = fc.record({ kind: fc.constantFrom('raise', 'fill', 'delete', 'retain', 'expire') })
/** Some at once, since a level takes two of the level before it. */
const weeks = fc
  .record({ write, pass, count: fc.integer({ min: 2, max: 9 }) })
  .map(({ write: one, pass: other, count }): Step[] =>
    Array.from({ length: count }, () => [one, { ...other, days: 8 }]).flat(),
  )
const steps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: write.map((one): Step[] => [one]) },
      { weight: 5, arbitrary: pass.map((one): Step[] => [one]) },
      { weight: 2, arbitrary: rare.map((one): Step[] => [one]) },
      { weight: 2, arbitrary: weeks },
    ),
    { minLength: 6, maxLength: 20 },
  )
  .map((all) => all.flat())

/** Eight weeks of hours in levels of twos, the last of which is full; what has enough of a month leaves. */
const week: Step[] = [
  { kind: 'write', server: 0, code: 'temperature', sensor: 0, daysBack: 8, hours: 1, count: 192 },
  { kind: 'write', server: 1, code: 'open', sensor: 0, daysBack: 40, hours: 24, count: 30 },
  { kind: 'pass', days: 8, servers: [0] },
  { kind: 'pass', days: 1, servers: [1] },
]
const EIGHT_WEEKS = Array.from({ length: 8 }, () => week).flat()
const WEEKS: Step[] = [...EIGHT_WEEKS, { kind: 'fill' }, ...week]
/** As years later, up to the last level before that of full rows. */
const YEARS: Step[] = [...EIGHT_WEEKS, { kind: 'raise' }, ...EIGHT_WEEKS, { kind: 'raise' }, ...week, ...week]

let context: DomainContext
let site: Site
let servers: Datapoints[] = []
let now = BEGIN
let value = 0
/** The plain table: `component characteristic` → time → value. */
const plain = new Map<string, Map<number, number>>()
const seen = new Set<number>()

useDatabase(POSTGRES)
beforeAll(async () => {
  context = { ...(await makeDomain(database)), now: () => new Date(now) }
})

async function begin(leastOfChunk: number): Promise<void> {
  now = BEGIN
  plain.clear()
  await emptyDomain(context)
  site = await makeSite(context)
  const limits = { rowsOfLevel: 2, leastOfChunk }
  servers = [0, 1].map(() => new Datapoints({ ...context, isAlone: false, limits }))
}

const keyOf = (component: string | undefined, code: string): string => `${component} ${code}`
const sentAs = {
  temperature: (n: number) => n / 8,
  count: (n: number) => n,
  open: (n: number) => n % 2 === 0,
  note: (n: number) => `n ${n}`,
}

const isGone = { note: false }
let earliest = 0

async function take(one: Step): Promise<void> {
  if (one.kind === 'write') await send(one)
  else if (one.kind === 'pass') await passDays(one)
  else if (one.kind === 'fill') await database.statement(FILL, [])
  else if (one.kind === 'raise') await database.statement(RAISE, [])
  else if (one.kind === 'expire') await servers[0]?.expire()
  else if (one.kind === 'retain') {
    await setRetention(context, { characteristic: 'temperature', keep: KEEP, acknowledge: true })
    earliest = 1
  } else if (!isGone.note) {
    isGone.note = true
    await applyAll(context, withoutNote())
  }
}

/** As where its points were many. */
const FILL = `update datapoint_blocks set level = ${FULL}
  where level = (select max(level) from datapoint_blocks where level >= ${LASTING} and level < ${FULL})`

/** As where rows were gathered for years: two of these become one of the last level. */
const RAISE = `update datapoint_blocks set level = ${FULL - 2}
  where level = (select max(level) from datapoint_blocks where level >= ${LASTING} and level < ${FULL - 2})`

async function send({ server, code, sensor, daysBack, hours, count }: Extract<Step, { kind: 'write' }>): Promise<void> {
  if (code === 'note' && isGone.note) return
  const from = now - daysBack * DAY
  const limit = limitOf(code)
  const times = Array.from({ length: count }, (_, index) => from + index * hours * HOUR).filter(
    (ms) => ms <= now && ms * 1_000 >= limit,
  )
  const points = times.map((ms) => ({ ms, number: value++ }))
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const elements = points.map(({ ms, number }) => site.point(code, sentAs[code](number), ms, sensor))
  expect((await servers[server]?.ingest.add(who, elements))?.errors).toStrictEqual([])
  const key = keyOf(site.componentUuids[sensor], code)
  const own = plain.get(key) ?? new Map<number, number>()
  for (const { ms, number } of points) own.set(ms * 1_000, number)
  plain.set(key, own)
}

const limitOf = (code: string): number => (code === 'temperature' && earliest > 0 ? earliestKept(KEEP, now * 1_000) : 0)

async function passDays({ days, servers: meant }: Extract<Step, { kind: 'pass' }>): Promise<void> {
  for (const one of servers) await one.compactor.compact()
  now += days * DAY
  await Promise.all(
    meant.map(async (index) => {
      await servers[index]?.tidy()
      while (await servers[index]?.merge()) continue
    }),
  )
  const levels = await database.rows({ level: INT4 }, 'select distinct level from datapoint_blocks', [])
  for (const { level } of levels) seen.add(level)
}

const isKept = ({ code }: { readonly code: string }): boolean => code !== 'note'

function withoutNote(): object {
  const services = SITE_MODEL.services.map((one) => ({ ...one, characteristics: one.characteristics.filter(isKept) }))
  return { ...SITE_MODEL, characteristics: SITE_MODEL.characteristics.filter(isKept), services }
}

function columnsOf({ componentUuid, characteristicKey }: ReadableSeries): Columns {
  const limit = limitOf(characteristicKey)
  const points = [...(plain.get(keyOf(componentUuid, characteristicKey)) ?? [])]
    .filter(([at]) => at >= limit)
    .sort(([a], [b]) => a - b)
  const numbers = points.map(([, number]) => number)
  const values = {
    temperature: () => Float64Array.from(numbers, (number) => number / 8),
    count: () => BigInt64Array.from(numbers, BigInt),
    open: () => Uint8Array.from(numbers, (number) => Number(number % 2 === 0)),
    note: () => numbers.map((number) => `n ${number}`),
  }[characteristicKey as Code]()
  return { at: Float64Array.from(points, ([at]) => at), values }
}

/** All that is read of a series, in each form. */
async function readAll(reader: PointReader, series: SeriesReference): Promise<unknown> {
  const range = { from: (BEGIN - 101 * DAY) * 1_000, to: (now + DAY) * 1_000 }
  const middle = { from: (BEGIN - 40 * DAY + HOUR) * 1_000, to: (now - 9 * DAY + 7) * 1_000 }
  const pages = []
  for (const order of ['oldest first', 'newest first'] as const)
    for (const asked of [range, middle])
      if (asked.from < asked.to) pages.push(await readPage(reader, series, { ...asked, order, first: 10_000 }))
  const latest = []
  for (const days of [-90, -20, 0, 15, 60, 400])
    latest.push((await reader.latest([series], (BEGIN + days * DAY) * 1_000)).get(series.seriesId))
  if (series.kind !== 'float' && series.kind !== 'integer')
    return { pages, latest, ...(await readStates(reader, series, { ...range, maxPoints: 10_000 })) }
  const aggregations = ['min', 'max', 'sum', 'count', 'first', 'last'] as const
  const asked = { ...range, interval: 'P1D', timeZone: 'UTC', aggregations, fill: 'none' as const, now: range.to }
  const curve = await readCurve(reader, series, { ...range, maxPoints: 50, thinning: 'shape' }, { few: 0, most: 1e6 })
  const drawn = Array.from(curve?.at ?? [], (at, index): PlainPoint => [at, Number(curve?.values[index])])
  return { pages, latest, buckets: await readBuckets(reader, series, asked), curve: endsAndExtremes(drawn) }
}

async function check(): Promise<void> {
  const found = withPoints(await findSeriesOf(context, ANYBODY, {}))
  const series = found.map((one) => referenceOf(one))
  const memory = memoryReader(new Map(found.map((one) => [one.id, columnsOf(one)])))
  await atOneMoment(database, context.domain.id, series, END_OF_TIME, async (reader) => {
    for (const one of series) expect(await readAll(reader, one)).toStrictEqual(await readAll(memory, one))
    expect(await reader.latest(series, END_OF_TIME)).toStrictEqual(await memory.latest(series, END_OF_TIME))
  })
  const file = { domainId: context.domain.id, account: 'tester', units: null, to: END_OF_TIME }
  const find = async () => ({ found: null, series })
  async function* exported(reader: PointReader): AsyncGenerator<Uint8Array> {
    for await (const { columns } of exportPoints(reader, found, { from: 0, to: END_OF_TIME }))
      for (const [index, at] of columns.at.entries()) yield Buffer.from(`${at} ${columns.values[index]}\n`)
  }
  const stored = servers[0]?.exports.open({ ...file, find }, exported) ?? []
  expect(await textOf(stored)).toBe(await textOf(exported(memory)))
}

async function textOf(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all).toString()
}

it(
  'what lasts in blocks is read as it was written, whoever merges it and however late',
  { timeout: 600_000 },
  async () => {
    const property = fc.asyncProperty(steps, fc.constantFrom(30, 600), async (all, leastOfChunk) => {
      await begin(leastOfChunk)
      isGone.note = false
      earliest = 0
      try {
        for (const one of all) await take(one)
        await check()
        await passDays({ kind: 'pass', days: 8, servers: [0, 1] })
        await database.statement(`update lost_series set lost_at = 'epoch'`, [])
        await Promise.all(servers.map((one) => one.expire()))
        await check()
      } finally {
        for (const one of servers) await one.close()
      }
      expect(await database.rows({ lost: INT8 }, 'select count(*) as lost from lost_series', [])).toStrictEqual([
        { lost: 0 },
      ])
    })
    await fc.assert(property, {
      numRuns: runsOf('LASTING_RUNS', { sample: 5, long: 100 }),
      examples: [
        [WEEKS, 600],
        [YEARS, 600],
      ],
    })
    expect([...seen].toSorted((a, b) => a - b)).toStrictEqual(
      expect.arrayContaining([LASTING, FULL - 2, FULL - 1, FULL]),
    )
  },
)
