import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { INT4 } from '../../../src/db/columns.ts'
import { claimConnections, nameSessions, shareConnections } from '../../../src/db/postgres/connection-budget.ts'
import { openPostgres } from '../../../src/db/postgres/postgres.ts'
import type { Database } from '../../../src/db/sql.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { readEveryWay } from '../../faults/every-way.ts'
import { SERVER_PROGRAM } from '../../support/data-place.ts'
import { makeDomain } from '../../support/domain.ts'
import { operatorToken } from '../../support/password-token.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres-server.ts'
import { startServerProcess, type ServerProcess } from '../../support/server-process.ts'
import { makeSite, type Site } from '../../support/site.ts'

// Several server processes, each with the fewest connections, on a PostgreSQL that has no room for one more.

const PROCESSES = 3
const FEWEST = 4
/** Three are reserved for administrators, and this test has one. */
const MOST = PROCESSES * FEWEST + 4
const NOON = 1_760_000_000_000
/** As many as files of an account may be written at once. */
const ROUNDS = 2

const directory = mkdtempSync(join(tmpdir(), 'holdfast-connections-'))
let postgres: PostgresServer
let database: Database
let servers: ServerProcess[]
let site: Site
let token: string

beforeAll(async () => {
  postgres = await startPostgres({ maxConnections: MOST })
  const admin = await openPostgres(`${postgres.url}/postgres`, { maxConnections: 1 })
  await admin.script('create database many')
  await admin.close()
  const first = await start()
  database = await openPostgres(`${postgres.url}/many`, { maxConnections: 1 })
  site = await makeSite(await makeDomain(database))
  servers = [first, ...(await Promise.all(Array.from({ length: PROCESSES - 1 }, () => start())))]
  token = await operatorToken(first.url, directory)
})
afterAll(async () => {
  for (const server of servers) await server.stop()
  await database.close()
  await postgres.stop()
  rmSync(directory, { recursive: true })
})

function start(connections = FEWEST): Promise<ServerProcess> {
  const env = {
    PATH: process.env['PATH'],
    PORT: '0',
    HOLDFAST_DATA_DIR: directory,
    DATABASE_URL: `${postgres.url}/many`,
    HOLDFAST_KEY: 'ab'.repeat(32),
    HOLDFAST_CONNECTIONS: String(connections),
  }
  return startServerProcess([SERVER_PROGRAM], { cwd: tmpdir(), env })
}

const ask = (url: string, body: unknown, more: { readonly [name: string]: string } = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  })

async function send(url: string, value: number): Promise<void> {
  const answer = await ask(`${url}/rest/v1/data-points/add`, [site.point('temperature', value, NOON + value)])
  expect(answer.status).toBe(201)
  await answer.text()
}

async function apply(url: string, code: string): Promise<void> {
  const document = { dataSources: [{ code, name: 'S' }] }
  const planned = await ask(`${url}/rest/v1/import`, document)
  const { digest } = (await planned.json()) as Plan
  const answer = await ask(`${url}/rest/v1/import?apply=${digest}`, document)
  // Another process may apply between the plan and the apply.
  expect([200, 409, 412]).toContain(answer.status)
  await answer.text()
}

async function latest(url: string): Promise<void> {
  const query = 'query ($systems: [ID!]) { latestDatapoints(systems: $systems) { value } }'
  const answer = await ask(`${url}/graphql`, { query, variables: { systems: [site.systemUuid] } })
  expect(await answer.json()).toMatchObject({ data: { latestDatapoints: expect.any(Array) } })
}

async function exportAll(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, accept: 'text/csv' }
  const answer = await fetch(`${url}/rest/v1/data-points?system_uuid=${site.systemUuid}`, { headers })
  expect(answer.status).toBe(200)
  await answer.text()
}

/** Begins to follow new values. What comes before the answer has begun is not among them. */
async function follow(url: string): Promise<Response['body']> {
  const query = 'subscription { datapoints { datapoints { value } } }'
  const { body } = await ask(`${url}/graphql`, { query }, { accept: 'text/event-stream' })
  return body
}

/** Reads until all values are there. */
async function readAll(body: Response['body'], values: ReadonlySet<number>): Promise<void> {
  const left = new Set(values)
  const decoder = new TextDecoder()
  let text = ''
  for await (const part of body ?? []) {
    text += decoder.decode(part, { stream: true })
    const whole = text.lastIndexOf('\n\n')
    for (const [, value] of text.slice(0, whole).matchAll(/"value":(-?\d+)/g)) left.delete(Number(value))
    text = text.slice(whole)
    if (left.size === 0) return
  }
}

it(
  'do everything at the same time: send, follow, read, apply, export, sign in and fold',
  { timeout: 180_000 },
  async () => {
    const sent = Array.from({ length: ROUNDS * PROCESSES }, (_, index) => index + 1)
    const streams = await Promise.all(servers.map(({ url }) => follow(url)))
    const followed = streams.map((body) => readAll(body, new Set(sent)))
    await Promise.all(
      servers.flatMap(({ url }, place) =>
        Array.from({ length: ROUNDS }, async (_, round) => {
          await Promise.all([
            send(url, place * ROUNDS + round + 1),
            latest(url),
            apply(url, `s-${place}-${round}`),
            exportAll(url),
            operatorToken(url, directory),
          ])
        }),
      ),
    )
    await Promise.all(followed)
    // A server folds its points when it ends.
    const [last, ...others] = servers
    for (const server of others) expect(await server.stop()).toBe(0)
    const [row] = await database.rows({ slots: INT4 }, 'select count(*)::integer as slots from writer_slots')
    expect(row?.slots).toBe(1)
    const read = await readEveryWay(last?.url ?? '', token, site)
    for (const values of Object.values(read) as number[][]) expect(values).toStrictEqual(sent)
    servers = [...(last ? [last] : []), ...(await Promise.all(others.map(() => start())))]
  },
)

it('state their connections, and refuse to start if PostgreSQL has too few', async () => {
  const all = servers.map((server) => server.written()).join('')
  const budget = `of ${MOST - 3} (max_connections ${MOST} - 3 reserved)`
  expect(all).toContain(`Connections to PostgreSQL: 1 × 4 (HOLDFAST_CONNECTIONS) here`)
  expect(all).toContain(budget)
  const refused = await start(6).catch((error: Error) => error.message)
  // The connection of this test counts while it is open.
  expect(refused).toMatch(/1 × 6 \(HOLDFAST_CONNECTIONS\) here \+ 1[23] of other processes \(3\) = 1[89] of 13/)
  expect(refused).toMatch(/These are too many: run fewer processes, or raise max_connections of PostgreSQL to 2[12]$/m)
})

it('name a setting that fits', async () => {
  const claim = { connections: 200, processes: 1, name: nameSessions(200) }
  await expect(claimConnections(database, claim)).rejects.toThrow(/run fewer processes, or raise max_connections/)
  const [first, ...others] = servers
  for (const server of others) await server.stop()
  servers = first ? [first] : []
  await expect(claimConnections(database, claim)).rejects.toThrow('set HOLDFAST_CONNECTIONS to 6 for each process')
})

it('share the setting between requests, heavy requests, flushes and signs of life', () => {
  expect(shareConnections(16)).toStrictEqual({ requests: 10, heavy: 4 })
  expect(shareConnections(4)).toStrictEqual({ requests: 1, heavy: 1 })
  expect(nameSessions(4)).toMatch(/^holdfast 4 [0-9a-f]{8}$/)
})
