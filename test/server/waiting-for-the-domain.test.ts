import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/db/postgres/postgres.ts'
import { writeDomain } from '../../src/store/domains.ts'
import { createPostgresDatabase, type PostgresDatabase } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import { MIGRATED_TEMPLATE } from '../support/global-setup.ts'
import { makeSystem, SITE_MODEL, type Site } from '../support/site.ts'
import { post } from './oidc/application.ts'
import { makeConsumer, makePerson } from './oidc/people.ts'
import { HOSTS, startTestServer, type TestServer } from './test-server.ts'

/** As many connections as a server has. */
const CONNECTIONS = 10

let postgres: PostgresDatabase
let server: TestServer
let site: Site
beforeAll(async () => {
  postgres = await createPostgresDatabase(MIGRATED_TEMPLATE)
  server = await startTestServer(await openPostgres(postgres.url, { maxConnections: CONNECTIONS }))
  const context = { ...server.access[0]!, actorName: 'tester' }
  const eventModels = [{ code: 'alarm', eventType: 'SINGLE_POINT', entityType: 'SYSTEM' }]
  await applyAll(context, { ...SITE_MODEL, eventModels })
  site = await makeSystem(context, { model: 'sensor', name: 'Sensor' }, 1)
})
afterAll(async () => {
  await server.close()
  await postgres.drop()
})

/** Holds a domain as an apply does. */
async function hold(index: number): Promise<() => Promise<void>> {
  const holder = await openPostgres(postgres.url, { maxConnections: 2 })
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const holding = writeDomain(holder, server.domains[index]?.id ?? 0, async () => {
    begin()
    await ended
  })
  await begun
  return async () => {
    end()
    await holding
    await holder.close()
  }
}

it('whoever waits for an apply leaves connections to all others', async () => {
  const access = server.access[0]!
  const { login: username, password } = await makePerson(access)
  const consumer = await makeConsumer(access, { grantTypes: ['PASSWORD'] })
  const send = (value: number) =>
    server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify([site.point('temperature', value)]) })
  expect(await send(1)).toMatchObject({ status: 201 })
  const release = await hold(0)
  onTestFinished(release)
  const event = `mutation { createEvent(input: { eventModel: "alarm", system: "${site.systemUuid}" }) { uuid } }`
  const update = `mutation { updateSystem(uuid: "${site.systemUuid}", input: { name: "Renamed" }) { name } }`
  let answered = 0
  const changes = Array.from({ length: 100 }, (_, index) =>
    server.data(index % 2 === 0 ? event : update).finally(() => (answered += 1)),
  )
  await expect.poll(() => server.database.load?.().waiting).toBeGreaterThan(CONNECTIONS * 8)
  // More requests than connections, one after the other and at once.
  for (let round = 0; round < CONNECTIONS; round += 1) {
    const [sent, token, system, , other] = await Promise.all([
      send(round),
      post(server.url, '/authenticate/token', { grant_type: 'password', username, password }, { consumer }),
      server.data(`{ system(uuid: "${site.systemUuid}") { name } }`),
      server.data(`{ latestDatapoints(systems: ["${site.systemUuid}"]) { value } }`),
      server.data(`mutation { createSystem(input: { name: "Of another domain" }) { uuid } }`, {}, HOSTS.second),
    ])
    expect(sent).toMatchObject({ status: 201 })
    expect(token).toMatchObject({ status: 200 })
    expect(system).toMatchObject({ system: { name: 'Site' } })
    expect(other).toHaveProperty('createSystem.uuid')
  }
  expect(answered).toBe(0)
  await release()
  await Promise.all(changes)
  expect(await server.data(`{ events { totalCount } }`)).toMatchObject({ events: { totalCount: 50 } })
})
