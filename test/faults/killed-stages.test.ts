import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { LASTING } from '../../src/datapoints/segments/block-levels.ts'
import { INT8, TEXT } from '../../src/db/columns.ts'
import type { Database } from '../../src/db/sql.ts'
import { placeOnPostgres, startServerAt, type DataPlace } from '../support/data-place.ts'
import { carryOutDeletion, previewDeletion } from '../../src/platform/deletions/deletions.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { makeDomain } from '../support/domain.ts'
import { operatorToken } from '../support/password-token.ts'
import { isLong, runsOf } from '../support/runs.ts'
import { COMPILED } from '../support/server-process.ts'
import { makeSite, type Site } from '../support/site.ts'
import type { ChurnMessage, ChurnTask } from './churn.ts'
import { readEveryWay, type EveryWay } from './every-way.ts'

// Two processes store points, with and without times and with replacements, and take them through all stages of storage at
// once, each also what the other one left. They, and the database's work for them, are killed at random moments: each point
// is there once by every way of reading, and the last value that was acknowledged has won. Meanwhile everything is deleted now
// and then, and none of it comes back.

const KILLS = runsOf('FAULT_RUNS', { sample: 4, long: 80 })
const PROGRAM = new URL('./churn.ts', import.meta.url)
const NOON = Date.UTC(2025, 9, 1, 12)
/** Statements of the stages, one of which a backend is killed in. */
const STAGES = ['store_flush', 'datapoint_blocks', 'datapoint_chunks', 'writer_slots', 'datapoints_hot', 'truncate']

let place: DataPlace
let database: Database
let site: Site
beforeEach(async () => {
  place = await placeOnPostgres()
  const server = await startServerAt(place)
  await server.stop()
  database = await place.open()
  site = await makeSite(await makeDomain(database))
})
afterEach(async () => {
  await database.close()
  await place.remove()
})

interface SentPoint {
  readonly value: number
  isStored: boolean
  /** `perhaps` deleted if it was on its way at the moment of a deletion. */
  isDeleted: boolean | 'perhaps'
}

/** What became of one series. */
class Fates {
  /** For each time the values that were sent for it, in order; of points without a time there is one each. */
  readonly #values = new Map<string, SentPoint[]>()
  readonly #batches = new Map<number, SentPoint[]>()
  stored = 0

  note(message: ChurnMessage): void {
    if (message.kind === 'stored') {
      for (const point of this.#batches.get(message.batch) ?? []) point.isStored = true
      this.stored += 1
      return
    }
    const points = message.points.map(([at, value]) => {
      const point: SentPoint = { value, isStored: false, isDeleted: false }
      const key = at === null ? `value ${value}` : `time ${at}`
      this.#values.set(key, [...(this.#values.get(key) ?? []), point])
      return point
    })
    this.#batches.set(message.batch, points)
  }

  get points(): SentPoint[] {
    return [...this.#values.values()].flat()
  }

  /**
   * What is read otherwise than it must be: each time once, with the last value that was acknowledged or one after it, and
   * no deleted value.
   */
  wrongIn(read: readonly number[]): object[] {
    const places = new Map([...this.#values].flatMap(([key, sent]) => sent.map(({ value }) => [value, key] as const)))
    const found = Map.groupBy(read, (value) => places.get(value) ?? 'nowhere')
    return [...this.#values].flatMap(([key, sent]) => {
      const last = sent.findLastIndex(({ isStored, isDeleted }) => isStored && isDeleted === false)
      const [value, ...more] = found.get(key) ?? []
      const at = sent.findIndex((one) => one.value === value)
      const isRight = more.length === 0 && at >= last && sent[at]?.isDeleted !== true
      return isRight ? [] : [{ key, sent, read: found.get(key) ?? [] }]
    })
  }

  get all(): ReadonlySet<number> {
    return new Set([...this.#values.values()].flat().map(({ value }) => value))
  }
}

class Churner {
  readonly fates = new Fates()
  readonly #component: number
  #child: ChildProcess | null = null
  #first = 0
  #enough = { count: Infinity, tell: (): void => undefined }

  constructor(component: number) {
    this.#component = component
    this.#first = component * OF_COMPONENT
  }

  start(url: string, leastOfChunk: number): void {
    const { value: _, ...series } = site.point('temperature', 0, undefined, this.#component)
    const task: ChurnTask = { url, series, first: this.#first, from: NOON, leastOfChunk }
    // A process has no time for more than that.
    this.#first += 1_000_000
    const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED }
    this.#child = fork(PROGRAM, [JSON.stringify(task)], { execArgv: [], env })
    this.#child.on('message', (message: ChurnMessage) => {
      this.fates.note(message)
      if (this.fates.stored >= this.#enough.count) this.#enough.tell()
    })
  }

  more(than: number): Promise<void> {
    return new Promise((tell) => (this.#enough = { count: this.fates.stored + than, tell }))
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (child === null) return
    const ended = once(child, 'close')
    child.kill('SIGKILL')
    await ended
  }
}

/** Ends the database's work on a stage of some process, as soon as there is any. Whether there was. */
async function killStage(stage: string): Promise<boolean> {
  const statement = `select pg_terminate_backend(pid)::text as done from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and query like $1 and state <> 'idle' limit 1`
  for (let tries = 0; tries < 3_000; tries++)
    if ((await database.rows({ done: TEXT }, statement, [`%${stage}%`])).length > 0) return true
  return false
}

/** Deletes everything that is stored now. Some of the statements for it are ended, too. */
async function deleteAll(churners: readonly Churner[]): Promise<void> {
  const context = await makeDomain(database)
  const all = { systems: [site.systemUuid], components: null, services: null, characteristics: null }
  const wanted = { kind: 'DATAPOINTS', series: all, from: null, to: null } as const
  const points = () => churners.flatMap(({ fates }) => fates.points)
  const stored = points().filter(({ isStored }) => isStored)
  const { token } = await untilDone(() => previewDeletion(context, EVERYWHERE, wanted))
  // What was sent before the preview has been told, and may wait to be read here.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  const known = new Set(stored)
  for (const point of points()) if (!known.has(point) && point.isDeleted === false) point.isDeleted = 'perhaps'
  await untilDone(() => carryOutDeletion(context, EVERYWHERE, wanted, token))
  for (const point of stored) point.isDeleted = true
}

async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 50) throw error
    }
  }
}

const ROWS_OF = {
  joined: 'datapoint_chunks where span = 1',
  lasting: `datapoint_blocks where level > ${LASTING}`,
}

async function countOf(end: keyof typeof ROWS_OF): Promise<number> {
  const [row] = await database.rows({ count: INT8 }, `select count(*) as count from ${ROWS_OF[end]}`)
  return row?.count ?? 0
}

/** Whether old points become chunks, which are joined, or rows that last, which are merged; each day one of both. */
const ENDS = [
  { end: 'joined', leastOfChunk: 1 },
  { end: 'lasting', leastOfChunk: 600 },
] as const
const TODAY = Math.floor(Date.now() / 86_400_000) % ENDS.length
const SAMPLED = ENDS.filter((_, index) => isLong || index === TODAY)

it.each(SAMPLED)(
  'lose and double nothing at any stage, to rows that are $end',
  { timeout: 180_000 + KILLS * 20_000 },
  async ({ end, leastOfChunk }) => {
    const url = place.env['DATABASE_URL'] ?? ''
    const churners = [0, 1].map((component) => new Churner(component))
    for (const churner of churners) churner.start(url, leastOfChunk)
    const hits = { stages: 0, processes: 0 }
    for (let kill = 0; kill < KILLS; kill++) {
      const dying = churners[kill % 2]
      const deleting = kill % 2 === 1 ? deleteAll(churners) : Promise.resolve()
      await dying?.more(20 + Math.floor(Math.random() * 60))
      if (await killStage(STAGES[kill % STAGES.length] ?? '')) hits.stages += 1
      await deleting
      if (kill % 4 < 2) continue
      hits.processes += 1
      await dying?.kill()
      dying?.start(url, leastOfChunk)
    }
    if (isLong) process.stderr.write(`${end}: ${KILLS} kills, ${JSON.stringify(hits)}\n`)
    expect(hits.stages).toBeGreaterThanOrEqual(KILLS / 4)
    await Promise.all(churners.map((churner) => churner.more(20)))
    // They go on until some points have come to the end of their way.
    await expect.poll(() => countOf(end)).toBeGreaterThan(0)
    for (const churner of churners) await churner.kill()
    const before = await readAll()
    expect(wrong(before, churners)).toStrictEqual({})
    // A server that begins and ends takes over what they left, and nothing changes by that.
    expect(await readAll()).toStrictEqual(before)
  },
)

async function readAll(): Promise<EveryWay> {
  const server = await startServerAt(place)
  const token = await operatorToken(server.url, place.directory)
  const found = await readEveryWay(server.url, token, site)
  const figures = [0, 1].map((component) => figuresOf(found.pages.filter((value) => componentOf(value) === component)))
  expect(await Promise.all([0, 1].map((component) => readFigures(server.url, token, component)))).toStrictEqual(figures)
  expect(await server.stop()).toBe(0)
  return found
}

const OF_COMPONENT = 100_000_000
const componentOf = (value: number): number => Math.floor(value / OF_COMPONENT)

interface Figures {
  readonly count: number
  readonly sum: number
  readonly max: number
  readonly latest: number | undefined
}

/** `values` are those of one series in the order of their times. */
function figuresOf(values: readonly number[]): Figures {
  const sum = values.reduce((total, value) => total + value, 0)
  const max = values.reduce((most, value) => Math.max(most, value), 0)
  return { count: values.length, sum, max, latest: values.at(-1) }
}

interface Bucket {
  readonly count: number
  readonly sum: number | null
  readonly max: number | null
}

/** The same by buckets, and the last value by itself. */
async function readFigures(url: string, token: string, component: number): Promise<Figures> {
  const { component_uuid, service_uuid, characteristic_uuid } = site.point('temperature', 0, undefined, component)
  const range = { from: '2025-09-01T00:00:00Z', to: '2030-01-01T00:00:00Z', interval: 'P1D', aggregations: 'sum,max' }
  const query = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid, ...range })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/rest/v1/data-points?${query.toString()}`, { headers })
  const { buckets } = (await answer.json()) as { buckets: readonly Bucket[] }
  const asked = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify(latestOf(component_uuid)),
  })
  const { data } = (await asked.json()) as { data: { latestDatapoints: readonly { value: number }[] } }
  return {
    count: buckets.reduce((total, { count }) => total + count, 0),
    sum: buckets.reduce((total, { sum }) => total + (sum ?? 0), 0),
    max: buckets.reduce((most, { max }) => Math.max(most, max ?? 0), 0),
    latest: data.latestDatapoints[0]?.value,
  }
}

function latestOf(component: string) {
  return { query: `{ latestDatapoints(components: ["${component}"], characteristics: ["temperature"]) { value } }` }
}

/** What is wrong, by the way of reading. */
function wrong(ways: EveryWay, churners: readonly Churner[]): object {
  const known = new Set(churners.flatMap(({ fates }) => [...fates.all]))
  return Object.fromEntries(
    Object.entries(ways).flatMap(([way, read]: [string, readonly number[]]) => {
      const problems = [
        ...churners.flatMap(({ fates }) => fates.wrongIn(read)),
        ...read.filter((value) => !known.has(value)).map((value) => ({ value })),
      ]
      return problems.length === 0 ? [] : [[way, problems.slice(0, 5)]]
    }),
  )
}
