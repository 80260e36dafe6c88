import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import { serve } from '../../../src/serve.ts'
import { RestartLimit } from '../../../src/server/workers/workers.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../../support/databases.ts'
import { makeDomain } from '../../support/domain.ts'
import { operatorToken } from '../../support/password-token.ts'
import { SERVER_PROGRAM } from '../../support/data-place.ts'
import { startServerProcess, type ServerProcess } from '../../support/server-process.ts'
import { makeSite, type Site } from '../../support/site.ts'
import { holdfast } from '../../reconcile/run-command.ts'
import { readEveryWay } from '../../faults/every-way.ts'

// Several processes that serve one port, as `serve --workers` starts them. The database is a new one, without tables.

const CLIENTS = 6
const NOON = 1_760_000_000_000

let place: PostgresDatabase
let database: Database
let directory: string
let site: Site
let server: ServerProcess
let token: string

beforeAll(async () => {
  place = await createPostgresDatabase()
  database = await openPostgres(place.url, { maxConnections: 2 })
  directory = mkdtempSync(join(tmpdir(), 'holdfast-workers-'))
  server = await start()
  site = await makeSite(await makeDomain(database))
  token = await operatorToken(server.url, directory)
})
afterAll(async () => {
  await server.stop()
  await database.close()
  await place.drop()
  rmSync(directory, { recursive: true })
})

async function start(env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const own = { PATH: process.env['PATH'], PORT: '0', HOLDFAST_DATA_DIR: directory, WORKERS: '2' }
  const on = { DATABASE_URL: place.url, HOLDFAST_KEY: 'ab'.repeat(32) }
  const started = await startServerProcess([SERVER_PROGRAM], { cwd: tmpdir(), env: { ...own, ...on, ...env } })
  await until(started, /2 workers take its requests/)
  return started
}

/** Waits until the server has written this. */
async function until({ written, said }: ServerProcess, what: RegExp): Promise<void> {
  while (!what.test(written())) await said()
}

/** The processes that this one has started. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** Sends points until it is told to stop, each value once; what was acknowledged. */
class Crowd {
  readonly acknowledged: number[] = []
  /** Statuses that nobody should be given here. */
  readonly strange = new Set<number>()
  readonly #senders: readonly Promise<void>[]
  #isOver = false
  #enough = { count: Infinity, tell: (): void => undefined }

  constructor(first: number) {
    let next = first
    this.#senders = Array.from({ length: CLIENTS }, async () => {
      while (!this.#isOver) await this.#send(next++)
    })
  }

  async #send(value: number): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify([site.point('temperature', value, NOON + value)])
    const answer = await fetch(`${server.url}/rest/v1/data-points/add`, { method: 'POST', headers, body }).catch(
      () => null,
    )
    if (answer?.status === 201) this.acknowledged.push(value)
    else if (answer !== null) this.strange.add(answer.status)
    if (this.acknowledged.length >= this.#enough.count) this.#enough.tell()
  }

  more(than: number): Promise<void> {
    return new Promise((tell) => (this.#enough = { count: this.acknowledged.length + than, tell }))
  }

  async end(): Promise<readonly number[]> {
    this.#isOver = true
    await Promise.all(this.#senders)
    return this.acknowledged
  }
}

/** Values that are read otherwise than once, by every way of reading. */
async function notOnce(values: readonly number[]): Promise<object> {
  const ways = await readEveryWay(server.url, token, site)
  return Object.fromEntries(
    Object.entries(ways).map(([way, read]: [string, readonly number[]]) => {
      const times = Map.groupBy(read, (value) => value)
      return [way, values.filter((value) => times.get(value)?.length !== 1)]
    }),
  )
}

const NONE = { ndjson: [], csv: [], parquet: [], pages: [], graphql: [] }

/** A connection that stays open may be one to a worker that ends. */
const headers = { connection: 'close' }

async function metrics(): Promise<string> {
  return (await fetch(`${server.url}/metrics`, { headers })).text()
}

/** Asks whether the server is ready, until two workers are there again. */
async function untilTwoWorkers(): Promise<void> {
  while (!/^holdfast_workers 2$/m.test(await metrics().catch(() => 'broken')))
    expect(await readiness()).toBeOneOf([200, 'broken'])
}

/** A connection that the system had given to a worker which then died is broken. */
function readiness(): Promise<number | 'broken'> {
  return fetch(`${server.url}/readyz`, { headers }).then(
    ({ status }) => status,
    () => 'broken' as const,
  )
}

it('answer on one port, and show their metrics together', async () => {
  const crowd = new Crowd(1)
  await crowd.more(300)
  const sent = await crowd.end()
  expect([...crowd.strange]).toStrictEqual([])
  expect(await notOnce(sent)).toStrictEqual(NONE)
  // One that does not answer in time is left out.
  let text = ''
  while (!text.includes('worker="1"') || !text.includes('worker="2"')) text = await metrics()
  const stored = Array.from(text.matchAll(/^holdfast_datapoints_stored_total\{worker="(\d)"\} (\d+)$/gm), (match) => ({
    worker: match[1],
    points: Number(match[2]),
  }))
  expect(stored.map(({ worker }) => worker).toSorted()).toStrictEqual(['1', '2'])
  expect(stored.every(({ points }) => points > 0)).toBe(true)
  expect(stored.reduce((sum, { points }) => sum + points, 0)).toBe(sent.length)
  expect(text.match(/^# TYPE holdfast_http_requests_total counter$/gm)).toHaveLength(1)
  expect(text).toMatch(/^holdfast_workers 2$/m)
  const page = readFileSync(new URL('../../../docs/how-to/metrics.md', import.meta.url), 'utf8')
  const names = Array.from(text.matchAll(/^# TYPE (holdfast_\w+)/gm), ([, name = '']) => name)
  expect(names.filter((name) => !page.includes(`\`${name}`))).toStrictEqual([])
})

it('make the database and its credentials once, and name themselves in the log', () => {
  expect(server.written().match(/listening on/g)).toHaveLength(1)
  expect(server.written().match(/operator's password/g)).toHaveLength(1)
  const lines = server.written().match(/^\{.*\}$/gm) ?? []
  const workers = lines.map((line) => (JSON.parse(line) as { worker?: number }).worker)
  expect(new Set(workers)).toStrictEqual(new Set([1, 2]))
})

it('lose nothing with one that is killed, in whose place another one is started', async () => {
  const crowd = new Crowd(10_000)
  await crowd.more(50)
  const [dying = 0] = childrenOf(server.pid)
  process.kill(dying, 'SIGKILL')
  await until(server, /Worker \d has ended by SIGKILL; another one is started at once/)
  await crowd.more(50)
  await untilTwoWorkers()
  await crowd.more(50)
  const sent = await crowd.end()
  expect([...crowd.strange]).toStrictEqual([])
  expect(await metrics()).toMatch(/^holdfast_worker_restarts_total 1$/m)
  expect(childrenOf(server.pid)).toHaveLength(2)
  expect(await notOnce(sent)).toStrictEqual(NONE)
})

it('are replaced where one is told to end, which finishes what it has begun', async () => {
  const crowd = new Crowd(15_000)
  await crowd.more(20)
  const [told = 0] = childrenOf(server.pid)
  process.kill(told, 'SIGTERM')
  await until(server, /Worker \d has ended with 0; another one is started/)
  await crowd.more(20)
  await untilTwoWorkers()
  const sent = await crowd.end()
  expect([...crowd.strange]).toStrictEqual([])
  expect(await notOnce(sent)).toStrictEqual(NONE)
})

it('end all with one signal, and lose nothing that was acknowledged', async () => {
  const crowd = new Crowd(20_000)
  await crowd.more(100)
  const workers = childrenOf(server.pid)
  expect(await server.stop()).toBe(0)
  const sent = await crowd.end()
  expect(crowd.strange.size).toBe(0)
  expect(workers.filter(isAlive)).toStrictEqual([])
  server = await start()
  expect(await notOnce(sent)).toStrictEqual(NONE)
})

it('end at once with the second signal', async () => {
  const workers = childrenOf(server.pid)
  const headers = { expect: '100-continue', 'content-length': 2, 'content-type': 'application/json' }
  const request = httpRequest(`${server.url}/graphql`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  const broken = once(request, 'error')
  request.flushHeaders()
  await once(request, 'continue')
  process.kill(server.pid, 'SIGTERM')
  await until(server, /a second signal ends it at once/)
  expect(await server.stop()).toBe(1)
  await broken
  await gone(workers)
  server = await start()
})

it('end with the process that started them, where that is killed', async () => {
  const workers = childrenOf(server.pid)
  await server.kill()
  await gone(workers)
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed')
  server = await start()
})

/** Where their parent has ended too, the system takes a moment to forget them. */
async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await new Promise(setImmediate)
}

function isAlive(pid: number): boolean {
  return signalTo(pid, 0)
}

/** False if the process has ended. */
function signalTo(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

it('are started again at most five times in a minute', () => {
  const limit = new RestartLimit()
  expect([0, 1_000, 2_000, 3_000, 4_000].map((now) => limit.next(now))).toStrictEqual([0, 0, 0, 0, 0])
  expect(limit.next(5_000)).toBe(55_000)
  expect(limit.next(60_000)).toBe(1_000)
  expect(limit.next(200_000)).toBe(0)
})

it('are refused by the name that their number was given by', async () => {
  const { code, stderr } = await holdfast('serve --workers 0', { cwd: directory, parts: { serve } })
  expect(stderr).toContain('--workers must be a whole number from 1 to 64, not "0"')
  expect(stderr).not.toContain('WORKERS')
  expect(code).toBe(1)
})

it('are refused where the database belongs to one process', async () => {
  const refused = start({ DATABASE_URL: '', HOLDFAST_KEY: '' })
  await expect(refused).rejects.toThrow(/^ {2}WORKERS must be 1 without DATABASE_URL: .* belongs to one process/m)
})

it('say once why they cannot start', async () => {
  const { port } = new URL(server.url)
  const message = await start({ PORT: port }).then(
    async (unwanted) => `it started, and ended with ${await unwanted.stop()}`,
    (error: Error) => error.message,
  )
  expect(message.trim()).toBe(
    `The server cannot listen on 127.0.0.1 port ${port}: another program does. Stop that one, or set PORT to another port`,
  )
})

it('are waited for where all of them have ended again and again', async () => {
  const later = () => server.written().match(/another one is started in \d+ seconds/g)?.length ?? 0
  while (later() < 2) {
    for (const worker of childrenOf(server.pid)) signalTo(worker, 'SIGKILL')
    await new Promise(setImmediate)
  }
  expect(childrenOf(server.pid)).toStrictEqual([])
  expect(isAlive(server.pid)).toBe(true)
  expect(await server.stop()).toBe(0)
})
