import { afterAll, beforeAll, expect, it } from 'vitest'
import { cellAt } from '../../../../src/datapoints/chunks/point-columns.ts'
import { LASTING } from '../../../../src/datapoints/segments/block-levels.ts'
import { INT4 } from '../../../../src/db/columns.ts'
import { openPostgres } from '../../../../src/db/postgres/postgres.ts'
import type { Database, Sql } from '../../../../src/db/sql.ts'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { exportPoints, withPoints } from '../../../../src/platform/datapoints/export/export-points.ts'
import { readDatapoints, readLatest } from '../../../../src/platform/datapoints/reading/read-datapoints.ts'
import { END_OF_TIME, readingQuery } from '../../../../src/platform/datapoints/reading/reading-query.ts'
import { lookUpAll } from '../../../../src/platform/datapoints/reading/series/find-series.ts'
import { referencesOf } from '../../../../src/platform/datapoints/reading/series/readable-series.ts'
import type { PointReader } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../../../support/global-setup.ts'
import { runsOf } from '../../../support/runs.ts'
import { makeSite, type Site } from '../../../support/site.ts'

// Two servers take what is old and little to rows that last, and gather these, while both are written to and read. Whatever
// is read has all that was acknowledged before it, and nothing that was never sent.

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ANYBODY = { systemUuid: null, units: null }
const COMPONENTS = 80
const POINTS_OF_BATCH = 80
const ROUNDS = runsOf('TOGETHER_RUNS', { sample: 40, long: 600 })
const CODES = ['temperature', 'count', 'open', 'note'] as const
type Code = (typeof CODES)[number]
const sentAs: { readonly [code in Code]: (n: number) => number | boolean | string } = {
  temperature: (n) => n / 8,
  count: (n) => n,
  open: (n) => n % 2 === 0,
  note: (n) => `n ${n}`,
}

let place: PostgresDatabase
const databases: Database[] = []
let contexts: readonly DomainContext[] = []
let site: Site
let now = Date.UTC(2026, 0, 10)

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  for (let index = 0; index < 2; index++) databases.push(await openPostgres(place.url, { maxConnections: 8 }))
  const context = { ...(await makeDomain(databases[0] as Database)), now: () => new Date(now) }
  contexts = databases.map((database) => ({ ...context, database }))
  site = await makeSite(context, COMPONENTS)
})
afterAll(async () => {
  for (const database of databases) await database.close()
  await place.drop()
})

/** What was sent for one time of a series, one after the other, and how much of it was acknowledged. */
interface Written {
  readonly numbers: number[]
  acknowledged: number
}

/** By series and by time, in microseconds. Each series has one writer. */
const written = new Map<string, Map<number, Written>>()

const keyOf = (component: string | undefined, code: string): string => `${component} ${code}`
const drawn = (below: number): number => Math.floor(Math.random() * below)

async function write(server: Datapoints, writer: number): Promise<void> {
  const who = { domainId: contexts[0]?.domain.id ?? 0, actor: 'tester', systemUuid: null, units: null }
  const batch = Array.from({ length: POINTS_OF_BATCH }, () => {
    const [component, code] = [drawn(COMPONENTS / 2) * 2 + writer, CODES[drawn(CODES.length)] ?? 'count']
    const ms = now - (now % HOUR) - drawn(drawn(4) === 0 ? 24 * 60 : 24 * 9) * HOUR
    const key = keyOf(site.componentUuids[component], code)
    const own = written.get(key) ?? new Map<number, Written>()
    const one = own.get(ms * 1_000) ?? { numbers: [], acknowledged: 0 }
    written.set(key, own.set(ms * 1_000, one))
    const number = (one.numbers.at(-1) ?? drawn(1_000)) + 1
    one.numbers.push(number)
    return { one, sent: one.numbers.length, element: site.point(code, sentAs[code](number), ms, component) }
  })
  expect(
    await server.ingest.add(
      who,
      batch.map(({ element }) => element),
    ),
  ).toMatchObject({ errors: [] })
  for (const { one, sent } of batch) one.acknowledged = Math.max(one.acknowledged, sent)
}

/** By series: how much was acknowledged for each time. */
type Known = ReadonlyMap<string, ReadonlyMap<number, number>>

function known(keys: Iterable<string> = written.keys()): Known {
  const counts = (key: string) =>
    new Map(
      [...(written.get(key) ?? [])].flatMap(([at, one]) => (one.acknowledged > 0 ? [[at, one.acknowledged]] : [])),
    )
  return new Map(Array.from(keys, (key) => [key, counts(key)]))
}

type Point = readonly [at: number, value: unknown]

/** Every point that is read was sent, and was not written over by one that was acknowledged before. */
function judgePoints(key: string, before: Known, points: readonly Point[]): void {
  const code = key.split(' ')[1] as Code
  for (const [at, value] of points) {
    const last = Math.max(0, (before.get(key)?.get(at) ?? 0) - 1)
    const possible = written.get(key)?.get(at)?.numbers.slice(last) ?? []
    const shown = typeof value === 'bigint' ? Number(value) : value
    expect(possible.map((number) => sentAs[code](number))).toContain(shown)
  }
}

/** None is missing and none is there twice. */
function judgeAll(key: string, before: Known, points: readonly Point[]): void {
  judgePoints(key, before, points)
  const times = points.map(([at]) => at)
  expect(times).toStrictEqual([...new Set(times)].toSorted((a, b) => a - b))
  const found = new Set(times)
  expect([...(before.get(key)?.keys() ?? [])].filter((at) => !found.has(at))).toStrictEqual([])
}

function judgeLast(key: string, before: Known, limit: number, point: Point | undefined): void {
  const last = Math.max(-Infinity, ...[...(before.get(key)?.keys() ?? [])].filter((at) => at < limit))
  expect(point?.[0] ?? -Infinity).toBeGreaterThanOrEqual(last)
  if (point !== undefined) judgePoints(key, before, [point])
}

interface Asked {
  readonly context: DomainContext
  readonly server: Datapoints
}

const READS: { readonly [form: string]: (asked: Asked) => Promise<void> } = {
  async page({ context }) {
    const [key, before, reading] = await readOne(context, { first: 100_000 })
    if (reading.form === 'page')
      judgeAll(
        key,
        before,
        reading.points.map(({ at, value }) => [at, value]),
      )
  },
  async curve({ context }) {
    const [key, before, reading] = await readOne(context, { from: '2025-01-01T00:00:00Z', maxPoints: 40 }, [
      'temperature',
    ])
    if (reading.form !== 'curve') throw new Error('it is a curve')
    judgePoints(
      key,
      before,
      reading.points.map(({ at, value }) => [at, value]),
    )
    judgeLast(key, before, Infinity, shownAs(reading.points.at(-1)))
  },
  async buckets({ context }) {
    const asked = { from: '2025-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z', interval: 'P1D' }
    const [key, before, reading] = await readOne(context, { ...asked, aggregations: ['count'] })
    if (reading.form !== 'buckets') throw new Error('they are buckets')
    const [least, most] = [countDays(before.get(key)?.keys()), countDays(written.get(key)?.keys())]
    const shown = new Map(reading.buckets.map(({ from, cells }) => [from, Number(cells.count)]))
    for (const [day, count] of least) expect(shown.get(day) ?? 0).toBeGreaterThanOrEqual(count)
    for (const [day, count] of shown) expect(most.get(day) ?? 0).toBeGreaterThanOrEqual(count)
  },
  async latest({ context }) {
    const [before, limit] = [known(), drawn(2) === 0 ? END_OF_TIME : (now - drawn(70) * DAY) * 1_000]
    const latest = await readLatest(context, ANYBODY, {}, { before: limit })
    const found = new Map(
      latest.map(({ series, point }) => [keyOf(series.componentUuid, series.characteristicKey), shownAs(point)]),
    )
    for (const key of before.keys()) judgeLast(key, before, limit, found.get(key))
  },
  export: (asked) => exported(asked).then(() => undefined),
}
const FORMS = Object.entries(READS)

/** The number of points in a file of all series. */
async function exported({ context, server }: Asked): Promise<number> {
  const before = known()
  const find = async (sql: Sql) => {
    const found = await lookUpAll(sql, context, ANYBODY, {})
    return { found: withPoints(found), series: referencesOf(found) }
  }
  const points = new Map<string, Point[]>()
  const asked = { domainId: context.domain.id, account: 'tester', units: null, find, to: END_OF_TIME }
  const file = server.exports.open(asked, async function* (reader: PointReader, found) {
    for (const one of found) {
      const own: Point[] = []
      points.set(keyOf(one.componentUuid, one.characteristicKey), own)
      for await (const { columns } of exportPoints(reader, [one], { from: 0, to: END_OF_TIME }))
        for (const [index, at] of columns.at.entries()) own.push([at, cellAt(columns.values, index)])
      yield Uint8Array.of(0)
    }
  })
  for await (const _ of file) continue
  for (const key of before.keys()) judgeAll(key, before, points.get(key) ?? [])
  return points.values().reduce((sum, { length }) => sum + length, 0)
}

function shownAs(point: { readonly at: number; readonly value: unknown } | undefined): Point | undefined {
  return point === undefined ? undefined : [point.at, point.value]
}

function countDays(times: Iterable<number> = []): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const at of times) {
    const day = at - (at % (DAY * 1_000))
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return counts
}

async function readOne(context: DomainContext, query: object, codes: readonly Code[] = CODES) {
  const [component = '', characteristic] = [
    site.componentUuids[drawn(COMPONENTS)],
    codes[drawn(codes.length)] ?? 'count',
  ]
  const key = keyOf(component, characteristic)
  const before = known([key])
  const asked = readingQuery(query, new Date(now))
  const name = { component, service: 'room', characteristic }
  const { reading } = await readDatapoints(context, ANYBODY, name, asked, new Date(now))
  return [key, before, reading] as const
}

it(
  'all that is acknowledged is read, in every form, while rows that last are made and gathered',
  { timeout: 600_000 },
  async () => {
    const limits = { rowsOfLevel: 2 }
    const servers = contexts.map((context) => new Datapoints({ ...context, isAlone: false, limits }))
    const writing = new AbortController()
    const { signal } = writing
    const levels = new Set<number>()
    const keepUp = async (server: Datapoints) => {
      while (!signal.aborted) {
        await server.compactor.compact()
        now += 2 * DAY
        await server.tidy()
        while (await server.merge()) continue
        const found = await databases[0]?.rows({ level: INT4 }, 'select distinct level from datapoint_blocks')
        for (const { level } of found ?? []) levels.add(level)
      }
    }
    const reads = new Set<string>()
    const isEnough = () => Math.max(...levels) > LASTING + 1 && reads.size === FORMS.length
    const read = async (asked: Asked) => {
      for (let turn = drawn(FORMS.length); !signal.aborted; turn++) {
        const [form = '', work] = FORMS[turn % FORMS.length] ?? []
        await work?.(asked)
        reads.add(form)
      }
    }
    const writers = servers.map(async (server, index) => {
      for (let round = 0; round < ROUNDS || !isEnough(); round++) await write(server, index)
    })
    const readers = servers.flatMap((server, index) => {
      const asked = { context: contexts[index] as DomainContext, server }
      return [read(asked), read(asked)]
    })
    const others = [...servers.map(keepUp), ...readers]
    await Promise.race([Promise.all(writers), Promise.all(others)]).finally(() => writing.abort())
    await Promise.all([...writers, ...others])
    const stored = await exported({ context: contexts[0] as DomainContext, server: servers[1] as Datapoints })
    expect(stored).toBe([...written.values()].reduce((sum, own) => sum + own.size, 0))
    for (const one of servers) await one.close()
  },
)
