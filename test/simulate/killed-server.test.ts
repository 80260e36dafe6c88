import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeOnAny, startServerAt, type DataPlace } from '../support/data-place.ts'
import { freePort } from '../support/free-port.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { demoSecrets, MINUTE, minutes, NOON } from './houses.ts'
import { command, graphqlOn, tellServer, TestClock } from './real-server.ts'

// A real server is killed while a house sends its past, and started again: the house goes on by itself. In `npm run
// test:long` it is on PGlite.

const MODELS = join(import.meta.dirname, '../../models')

let place: DataPlace
let server: ServerProcess

const start = (port: string): Promise<ServerProcess> => startServerAt(place, { PORT: port })

/** The server needs real time to start again. */
class SlowClock extends TestClock {
  override async wait(milliseconds: number): Promise<void> {
    await wait(milliseconds / 50)
    await super.wait(milliseconds)
  }
}

beforeAll(async () => {
  place = await placeOnAny()
  server = await start(String(await freePort()))
  tellServer(place.directory, server.url)
})
afterAll(async () => {
  await server.stop()
  await place.remove()
})

it(
  'the server may die at any moment: the house sends what is missing, and nothing twice',
  { timeout: 240_000 },
  async () => {
    const { directory: dataDir } = place
    await command(`apply --yes --models ${MODELS}`, { dataDir, env: { ...demoSecrets(), HOLDFAST_DATA_DIR: dataDir } })
    let batches = 0
    let restarted: Promise<void> | undefined
    const deadly = async (request: Request) => {
      const answer = fetch(request)
      if (request.url.endsWith('/data-points/add') && (batches += 1) === 4) {
        const { port } = new URL(server.url)
        restarted = server.kill().then(async () => void (server = await start(port)))
      }
      return answer
    }
    const clock = new SlowClock(NOON)
    const { code, stderr } = await command('simulate --days 1 --once', { dataDir, clock, fetch: deadly })
    await restarted
    expect(stderr).toMatch(/trying again, nothing is lost\n.*the platform answers again\n$/)
    expect(code).toBe(0)
    const { latestDatapoints: latest } = await graphqlOn(
      server.url,
      dataDir,
    )<{
      latestDatapoints: readonly { readonly componentUuid: string; readonly timestamp: string }[]
    }>('{ latestDatapoints(characteristics: ["energy-imported", "outdoor-temperature"]) { componentUuid timestamp } }')
    expect(latest.length).toBeGreaterThan(1)
    for (const { componentUuid } of latest) {
      const times = await timesOf(componentUuid)
      expect(times.length).toBeGreaterThanOrEqual(24 * 60)
      expect(times).toStrictEqual(minutes(NOON - 24 * 60 * MINUTE, times.at(-1) ?? 0))
    }
  },
)

/** Of the one characteristic of these that the component has. */
async function timesOf(component: string): Promise<number[]> {
  const graphql = graphqlOn(server.url, place.directory)
  const { component: found } = await graphql<{
    component: { supports: readonly { readonly service: string; readonly characteristic: string }[] }
  }>('query ($uuid: ID!) { component(uuid: $uuid) { supports { service characteristic } } }', { uuid: component })
  const series = found.supports.find((one) => /^(energy-imported|outdoor-temperature)$/.test(one.characteristic))
  const { datapoints } = await graphql<{ datapoints: { points: readonly { readonly timestamp: string }[] } }>(
    `
      query ($component: ID!, $service: String!, $characteristic: String!) {
        datapoints(component: $component, service: $service, characteristic: $characteristic, first: 100000) {
          points {
            timestamp
          }
        }
      }
    `,
    { component, ...series },
  )
  return datapoints.points.map(({ timestamp }) => Date.parse(timestamp))
}
