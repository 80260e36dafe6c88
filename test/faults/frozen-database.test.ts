import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { SERVER_PROGRAM } from '../support/data-place.ts'
import { makeDomain } from '../support/domain.ts'
import { operatorToken } from '../support/password-token.ts'
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { networkTo, type SilentNetwork } from '../support/silent-network.ts'
import { makeSite, type SentPoint, type Site } from '../support/site.ts'
import { readEveryWay } from './every-way.ts'

// A database that stands still (its processes are stopped, as on a machine that hangs), and a network that drops everything:
// whoever asks is answered in time, nothing is acknowledged that is not stored, and all goes on by itself afterwards.

const NOON = 1_760_000_000_000
/** What a sender should have to wait for at most. */
const PATIENCE_MS = 25_000

let postgres: PostgresServer
let network: SilentNetwork
let site: Site
let token: string
const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'holdfast-frozen-')))
/** The second one has the network between itself and the database. */
const servers: ServerProcess[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  const url = `${postgres.url}/postgres`
  network = await networkTo(Number(new URL(postgres.url).port))
  const through = Object.assign(new URL(url), { port: String(network.port) }).href
  for (const [index, address] of [url, through].entries()) servers.push(await start(index, address))
  const database = await openPostgres(url, { maxConnections: 2 })
  site = await makeSite(await makeDomain(database))
  await database.close()
  token = await operatorToken(serverAt(0).url, directories[0] ?? '')
})
afterAll(async () => {
  for (const server of servers) await server.stop()
  await network.close()
  await postgres.stop()
  for (const directory of directories) rmSync(directory, { recursive: true })
})

function start(index: number, url: string): Promise<ServerProcess> {
  const own = { PATH: process.env['PATH'], PORT: '0', HOLDFAST_DATA_DIR: directories[index] }
  const env = { ...own, DATABASE_URL: url, HOLDFAST_KEY: 'ab'.repeat(32) }
  return startServerProcess([SERVER_PROGRAM], { cwd: tmpdir(), env })
}

function serverAt(index: number): ServerProcess {
  const server = servers[index]
  if (server === undefined) throw new Error('there is no such server')
  return server
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

async function ask(index: number, path: string, body?: object, headers: HeadersInit = {}): Promise<Answer> {
  const answer = await fetch(`${serverAt(index).url}${path}`, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

const send = (index: number, points: readonly SentPoint[], headers?: HeadersInit): Promise<Answer> =>
  ask(index, '/rest/v1/data-points/add', points, headers)

const readings = (index: number): Promise<Answer> => ask(index, '/graphql', { query: '{ currentDomain { name } }' })

/** How each of the server's own metrics of the database begins. */
async function databaseMetrics(index: number): Promise<string> {
  const { text } = await ask(index, '/metrics')
  return text
    .split('\n')
    .filter((line) => /^holdfast_(?:database_|ready)/.test(line))
    .join('\n')
}

/** Asks until the server is ready again. */
async function ready(index: number): Promise<void> {
  while ((await ask(index, '/readyz')).status !== 200) continue
}

/** The values that are there, by each way of reading. */
async function read(from = 0): Promise<object> {
  const ways = await readEveryWay(serverAt(0).url, token, site)
  return Object.fromEntries(
    Object.entries(ways).map(([way, found]: [string, readonly number[]]) => [
      way,
      found.filter((value) => value >= from).toSorted((a, b) => a - b),
    ]),
  )
}

function allWays(values: readonly number[]): object {
  return { ndjson: values, csv: values, parquet: values, pages: values, graphql: values }
}

/** All processes of the database. The first one is stopped first, so that it makes no others. */
function signalDatabase(signal: NodeJS.Signals): void {
  const { pid } = postgres
  process.kill(pid, signal)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  for (const child of children) signalIfAlive(child, signal)
}

/** A child such as a worker of autovacuum can end between the listing and the signal. */
function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const REFUSED = { status: 503, retryAfter: '5' }

it('is told to whoever asks while it stands still, and used again when it goes on', async () => {
  const timed = [site.point('temperature', 2, NOON + 2)]
  const keyed = [site.point('temperature', 3)]
  const key = { 'idempotency-key': 'frozen-3' }
  expect(await send(0, [site.point('temperature', 1, NOON + 1)])).toMatchObject({ status: 201 })
  expect(await databaseMetrics(0)).toMatch(/^holdfast_database_up 1$/m)
  signalDatabase('SIGSTOP')
  try {
    const frozen = performance.now()
    const [answers, health] = await Promise.all([
      Promise.all([send(0, timed), send(0, keyed, key), readings(0)]),
      ask(0, '/readyz'),
    ])
    for (const answer of answers) expect(answer).toMatchObject(REFUSED)
    for (const { text } of answers) expect(text).toContain('The database does not answer')
    expect(health).toMatchObject(REFUSED)
    expect(await ask(0, '/healthz')).toMatchObject({ status: 200 })
    const waited = performance.now() - frozen
    expect(await databaseMetrics(0)).toMatch(/^holdfast_database_up 0$/m)
    expect(await databaseMetrics(0)).toMatch(/^holdfast_ready 0$/m)
    expect(await databaseMetrics(0)).toMatch(/^holdfast_database_unanswered_total [1-9]/m)
    const begin = performance.now()
    expect(await send(0, timed)).toMatchObject(REFUSED)
    // Those who came first had to find it out.
    expect(performance.now() - begin).toBeLessThan(waited / 2)
  } finally {
    signalDatabase('SIGCONT')
  }
  await ready(0)
  // What comes now counts, although the database may have stored what was refused a moment ago.
  const later = [site.point('temperature', 4, NOON + 2)]
  expect(await send(0, timed)).toMatchObject({ status: 201 })
  expect(await send(0, keyed, key)).toMatchObject({ status: 201 })
  expect(await send(0, later)).toMatchObject({ status: 201 })
  expect(await databaseMetrics(0)).toMatch(/^holdfast_database_up 1$/m)
  expect(await databaseMetrics(0)).toMatch(/^holdfast_ready 1$/m)
  expect(await read()).toStrictEqual(allWays([1, 3, 4]))
})

it('does not concern another server where the network of one drops everything', async () => {
  await ready(1)
  expect(await send(1, [site.point('temperature', 11, NOON + 11)])).toMatchObject({ status: 201 })
  network.goSilent()
  const cutOff = [site.point('temperature', 12, NOON + 12)]
  const lost = send(1, cutOff)
  expect(await send(0, [site.point('temperature', 13, NOON + 13)])).toMatchObject({ status: 201 })
  expect(await lost).toMatchObject(REFUSED)
  expect(await ask(1, '/readyz')).toMatchObject(REFUSED)
  expect(await ask(0, '/readyz')).toMatchObject({ status: 200 })
  // What the database gets late replaces nothing that another server has acknowledged.
  expect(await send(0, [site.point('temperature', 14, NOON + 12)])).toMatchObject({ status: 201 })
  network.goOn()
  await ready(1)
  expect(await send(1, [site.point('temperature', 15, NOON + 15)])).toMatchObject({ status: 201 })
  expect(await read(11)).toStrictEqual(allWays([11, 13, 14, 15]))
})
