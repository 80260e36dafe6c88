import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { readMigrations } from '../../src/db/read-migrations.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { contextOf, startTestServer, type Answer, type TestServer } from '../server/test-server.ts'
import { startPostgres, type PostgresServer } from '../support/postgres-server.ts'
import { makeSite, type Site } from '../support/site.ts'
import { CAN_MOUNT, smallDisk, type SmallDisk } from '../support/small-disk.ts'
import { PATIENCE } from '../support/patience.ts'

// PostgreSQL ends itself where the disk of its log is full. Whoever asks meanwhile is told, and with room it goes on where
// it was: what was acknowledged is there, and what was refused is there as a whole or not at all.

const NOBODY = { uid: 65_534, gid: 65_534 }
const NOON = 1_760_000_000_000
const POINTS = 2_000
/** Of the disk is told who was there when it became full; the others are told that they may try again. */
const SAYS_WHY = /disk of the database server|connection to the database was lost|database cannot be reached/

function expectRefusal({ status, headers, json }: Answer): void {
  expect({ status, json }).toMatchObject({
    status: 503,
    json: { code: 'UNAVAILABLE', detail: expect.stringMatching(SAYS_WHY) as string },
  })
  expect(headers['retry-after']).toMatch(/^\d+$/)
}

describe.runIf(CAN_MOUNT)('PostgreSQL whose log has no room', () => {
  let disk: SmallDisk
  let postgres: PostgresServer
  let server: TestServer
  let site: Site

  beforeAll(async () => {
    disk = smallDisk(100, NOBODY)
    postgres = await startPostgres({ durable: true, logDirectory: join(disk.directory, 'log') })
    const database = await openPostgres(`${postgres.url}/postgres`, { maxConnections: 4 })
    await migrate(database, await readMigrations(new URL('../../src/db/migrations/', import.meta.url)))
    server = await startTestServer(database)
    site = await makeSite(contextOf(server))
  })
  afterAll(async () => {
    disk.free()
    await server.close()
    await postgres.stop()
    disk.remove()
  })

  function send(batch: number): Promise<Answer> {
    const points = Array.from({ length: POINTS }, (_, index) =>
      site.point('temperature', batch + index / POINTS, NOON + batch * POINTS + index),
    )
    return server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
  }

  async function stored(): Promise<number> {
    const { component_uuid, service_uuid, characteristic_uuid } = site.point('temperature', null)
    const query = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid }).toString()
    const headers = { accept: 'text/csv' }
    const { text } = await server.call({ method: 'GET', path: `/rest/v1/data-points?${query}`, headers })
    // A header before, and nothing after the last end of line.
    return text.split('\n').length - 2
  }

  /** More than what is left of the segment of the log. */
  async function largeDocument(): Promise<string> {
    const { importDocument } = await server.data<{ importDocument: object }>('{ importDocument }')
    const dataSources = Array.from({ length: 10_000 }, (_, index) => ({
      code: `source-${index}`,
      name: crypto.randomUUID().repeat(20),
    }))
    return JSON.stringify({ ...importDocument, dataSources })
  }

  /** PostgreSQL may come back by itself: what it did not need any more of its log is room. */
  async function again<T>(work: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
    disk.free()
    return vi.waitFor(
      async () => {
        await postgres.again()
        const answer = await work()
        expect(answer).toSatisfy(isDone)
        return answer
      },
      { ...PATIENCE, interval: 100 },
    )
  }

  it('is told to those who apply, and it is made when there is room again', async () => {
    const body = await largeDocument()
    const { digest } = (await server.call({ path: '/rest/v1/import', body })).json as Plan
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const apply = () => server.call({ path: `/rest/v1/import?apply=${digest}`, body, headers })
    const history = () => server.data<{ applies: { nodes: object[] } }>('{ applies { nodes { uuid } } }')
    const before = await history()
    disk.fill()
    expectRefusal(await apply())
    expect(await again(apply, ({ status }) => status === 200)).toMatchObject({ json: { recorded: true } })
    expect((await history()).applies.nodes).toHaveLength(before.applies.nodes.length + 1)
  })

  it('is told to those who send, and what was acknowledged is there', async () => {
    disk.fill()
    const answers: Answer[] = []
    while (answers.length < 500 && answers.at(-1)?.status !== 503) answers.push(await send(answers.length))
    expectRefusal(answers.at(-1) as Answer)
    const acknowledged = answers.length - 1
    const kept = await again(stored, (count) => count >= acknowledged * POINTS)
    // The last one was made as a whole or not at all.
    expect([acknowledged * POINTS, answers.length * POINTS]).toContain(kept)
    expect((await send(acknowledged)).status).toBe(201)
    expect(await stored()).toBe(answers.length * POINTS)
  })
})
