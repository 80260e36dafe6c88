import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOOL } from '../../src/db/columns.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import type { Database } from '../../src/db/sql.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { makeDomain } from '../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { operatorToken } from '../support/password-token.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { makeSite, type Site } from '../support/site.ts'
import { readEveryWay } from './every-way.ts'
import { isLong, runsOf } from '../support/runs.ts'

// Two real servers on one PostgreSQL, with many clients that send to both at once, mostly without timestamps and for one
// series: all that is acknowledged is there once, by every way of reading. Then servers, and connections of servers that
// are writing points at that moment, are killed. FAULT_RUNS asks for another number of kills.

const PROGRAM = fileURLToPath(new URL('../server/serve-program.ts', import.meta.url))
const KILLS = runsOf('FAULT_RUNS', { sample: 3, long: 10 })
const CLIENTS = 6
const NOON = 1_760_000_000_000

let place: PostgresDatabase
let database: Database
let site: Site
const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'holdfast-two-')))
let token: string
const servers: Promise<ServerProcess>[] = []

beforeAll(async () => {
  place = await createPostgresDatabase(MIGRATED_TEMPLATE)
  database = await openPostgres(place.url, { maxConnections: 3 })
  servers.push(start(0))
  const first = await servers[0]
  servers.push(start(1))
  await servers[1]
  site = await makeSite(await makeDomain(database))
  token = await operatorToken(first?.url ?? '', directories[0] ?? '')
})
afterAll(async () => {
  for (const server of servers) await (await server).stop()
  await database.close()
  await place.drop()
  for (const directory of directories) rmSync(directory, { recursive: true })
})

function start(index: number): Promise<ServerProcess> {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    DATABASE_URL: place.url,
    HOLDFAST_KEY: 'ab'.repeat(32),
    HOLDFAST_DATA_DIR: directories[index],
  }
  return startServerProcess([PROGRAM], { cwd: tmpdir(), env })
}

interface SentBatch {
  readonly values: readonly number[]
  isStored: boolean
  /** `perhaps` deleted if it was on its way at the moment of a deletion. */
  isDeleted: boolean | 'perhaps'
}

/** Batches by their numbers: what was sent, and whether it was acknowledged or deleted. */
const sent = new Map<number, SentBatch>()
let last = 0

/** Of three batches two have no timestamps, and one of these has several values of its series. */
function nextBatch() {
  const number = ++last
  const values = Array.from({ length: number % 3 === 0 ? 1 : 3 }, (_, index) => number * 10 + index)
  const hasTimes = number % 3 === 1
  const points = values.map((value) =>
    hasTimes ? site.point('temperature', value, NOON + value, 1) : site.point('temperature', value),
  )
  sent.set(number, { values, isStored: false, isDeleted: false })
  return { number, body: JSON.stringify(points) }
}

/** Clients that send until they are told to stop; which of their requests had no answer. */
class Crowd {
  readonly #senders: readonly Promise<void>[]
  unanswered = 0
  acknowledged = 0
  /** Statuses that nobody should be given here. */
  readonly strange = new Set<number>()
  #isOver = false
  #enough: { readonly count: number; tell(): void } | null = null

  constructor() {
    this.#senders = Array.from({ length: CLIENTS }, (_, index) => this.#send(index % 2))
  }

  async #send(index: number): Promise<void> {
    while (!this.#isOver) {
      const { url } = (await servers[index]) as ServerProcess
      const { number, body } = nextBatch()
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${url}/rest/v1/data-points/add`, { method: 'POST', headers, body }).catch(() => null)
      if (answer?.status === 201) this.#acknowledge(number)
      else {
        // A server whose connection broke while it wrote does not know either: it says 503.
        if (answer !== null && answer.status !== 503) this.strange.add(answer.status)
        this.unanswered += 1
      }
    }
  }

  #acknowledge(number: number): void {
    const batch = sent.get(number)
    if (batch !== undefined) batch.isStored = true
    this.acknowledged += 1
    if (this.#enough !== null && this.acknowledged >= this.#enough.count) this.#enough.tell()
  }

  more(than: number): Promise<void> {
    return new Promise((tell) => (this.#enough = { count: this.acknowledged + than, tell }))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#senders)
  }
}

/** What is wrong with what is read: lost, there twice, torn, or in another order than it was sent. */
async function wrong(): Promise<object> {
  const server = await (servers[0] as Promise<ServerProcess>)
  const found = await readEveryWay(server.url, token, site)
  return Object.fromEntries(Object.entries(found).map(([way, values]) => [way, wrongIn(values)]))
}

function wrongIn(values: readonly number[]) {
  const places = new Map<number, number[]>()
  for (const [index, value] of values.entries()) places.set(value, [...(places.get(value) ?? []), index])
  const problems = { lost: 0, twice: 0, torn: 0, disordered: 0, back: 0 }
  for (const batch of sent.values()) {
    const there = batch.values.map((value) => places.get(value) ?? [])
    const missing = there.filter(({ length }) => length === 0).length
    if (batch.isDeleted === true) problems.back += there.length - missing
    else if (batch.isStored && batch.isDeleted === false) problems.lost += missing
    else if (missing > 0 && missing < there.length) problems.torn += 1
    problems.twice += there.filter(({ length }) => length > 1).length
    const order = there.flatMap(([first]) => (first === undefined ? [] : [first]))
    if (order.some((at, index) => index > 0 && at < (order[index - 1] ?? 0))) problems.disordered += 1
  }
  return problems
}

const NOTHING = { lost: 0, twice: 0, torn: 0, disordered: 0, back: 0 }
const ALL_RIGHT = { ndjson: NOTHING, csv: NOTHING, parquet: NOTHING, pages: NOTHING, graphql: NOTHING }

/** As another server would that finds these dead. */
async function foldAll(): Promise<void> {
  const limits = { deadAfterSeconds: 0 }
  const datapoints = new Datapoints({ ...(await makeDomain(database)), database, isAlone: false, limits })
  await datapoints.takeOver()
  while (await datapoints.merge()) continue
  await datapoints.erase()
  await datapoints.close()
}

it(
  'lose nothing of what comes without timestamps, and keep the order of each batch',
  { timeout: 240_000 },
  async () => {
    const crowd = new Crowd()
    await crowd.more(isLong ? 600 : 200)
    await crowd.end()
    expect([crowd.unanswered, ...crowd.strange]).toStrictEqual([0])
    expect(await wrong()).toStrictEqual(ALL_RIGHT)
    await foldAll()
    expect(await wrong()).toStrictEqual(ALL_RIGHT)
  },
)

/** A connection of a server that is writing points now; whether there was one. */
async function killWriter(): Promise<boolean> {
  for (let tries = 0; tries < 2_000; tries++) {
    const [killed] = await database.rows(
      { done: BOOL },
      `select pg_terminate_backend(pid) as done from pg_stat_activity
       where datname = current_database() and state = 'active' and query like '%store_flush%' and pid <> pg_backend_pid() limit 1`,
    )
    if (killed?.done === true) return true
  }
  return false
}

/** Asks either server until one answers. */
async function ask<Data>(query: string): Promise<Data> {
  for (let attempt = 0; ; attempt++) {
    const { url } = (await servers[attempt % 2]) as ServerProcess
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query })
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body }).catch(() => null)
    const result = (await answer?.json().catch(() => null)) as { data?: Data; errors?: unknown } | null | undefined
    if (result?.data != null && result.errors === undefined) return result.data
    if (attempt > 200) throw new Error(JSON.stringify(result))
  }
}

/** Deletes everything that is stored now, while others write. */
async function deleteAll(): Promise<void> {
  const stored = [...sent.values()].filter(({ isStored }) => isStored)
  const series = `series: { systems: ["${site.systemUuid}"] }`
  const { deletionPreview: preview } = await ask<{ deletionPreview: { token: string } }>(
    `{ deletionPreview(${series}) { token } }`,
  )
  const others = [...sent.values()].filter((batch) => !stored.includes(batch))
  for (const batch of others) batch.isDeleted = 'perhaps'
  await ask(`mutation { deleteDatapoints(${series}, token: "${preview.token}") { uuid } }`)
  for (const batch of stored) batch.isDeleted = true
}

it('that are killed while they write lose nothing either', { timeout: 180_000 + KILLS * 30_000 }, async () => {
  const crowd = new Crowd()
  const hits = { servers: 0, writers: 0 }
  for (let kill = 0; kill < KILLS; kill++) {
    await crowd.more(20 + Math.floor(Math.random() * (isLong ? 200 : 60)))
    const before = crowd.unanswered
    const deleting = kill % 3 === 1 ? deleteAll() : Promise.resolve()
    if (kill % 2 === 0) hits.writers += (await killWriter()) ? 1 : 0
    else {
      const index = (kill >> 1) % 2
      const dying = await (servers[index] as Promise<ServerProcess>)
      await dying.kill()
      servers[index] = start(index)
      await crowd.more(20)
      hits.servers += crowd.unanswered > before ? 1 : 0
    }
    await deleting
    // What a dead one left is taken over while the others write.
    if (kill % 3 === 2) await foldAll()
  }
  await crowd.end()
  process.stdout.write(
    `${JSON.stringify({ kills: KILLS, ...hits, batches: sent.size, unanswered: crowd.unanswered })}\n`,
  )
  expect([...crowd.strange]).toStrictEqual([])
  expect(hits.servers + hits.writers).toBeGreaterThan(KILLS / 2)
  expect([...sent.values()].some(({ isDeleted }) => isDeleted === true)).toBe(true)
  expect(await wrong()).toStrictEqual(ALL_RIGHT)
  await foldAll()
  expect(await wrong()).toStrictEqual(ALL_RIGHT)
})
