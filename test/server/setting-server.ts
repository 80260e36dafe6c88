import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createSystemCredential } from '../../src/platform/systems/credentials.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import type { Limits } from '../../src/server/requests/limits.ts'
import { giveToken } from '../support/access.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { makeSettingSite, type SettingSite } from '../support/setting-site.ts'
import { contextOf, startTestServer, type Answer, type Call, type TestServer } from './test-server.ts'

export const ADD = '/rest/v1/set-points/add'
export const PENDING = '/rest/v1/set-points/pending'
export const ACKNOWLEDGE = '/rest/v1/set-points/acknowledge'

export interface Device {
  readonly accountUuid: string
  readonly authorization: string
}

export interface SettingServer {
  readonly server: TestServer
  readonly context: DomainContext
  readonly site: SettingSite
  /** Of the first system of the site. */
  readonly device: Device
  makeDevice(systemUuid: string): Promise<Device>
  post(path: string, body: unknown, call?: Call): Promise<Answer>
  /** By the device. */
  pending(query?: string, call?: Call): Promise<Answer>
  /** Sets a target by GraphQL, as people do. */
  set(value: number): Promise<void>
}

/** One server for a file, without setpoints at the beginning of each of its tests. Two may wait at once. */
export function settingServer({ openMigrated }: DatabaseKind, limits: Partial<Limits> = {}): () => SettingServer {
  let all: SettingServer
  beforeAll(async () => {
    all = await start(await startTestServer(await openMigrated(), { waitingPolls: 2, batchPoints: 100, ...limits }))
  })
  beforeEach(() => all.server.database.script('delete from setpoints'))
  afterAll(() => all.server.close())
  return () => all
}

async function start(server: TestServer): Promise<SettingServer> {
  const context = contextOf(server)
  const site = await makeSettingSite(context)
  const makeDevice = async (systemUuid: string): Promise<Device> => {
    const { uuid: accountUuid } = await createSystemCredential(context, systemUuid)
    return { accountUuid, authorization: `Bearer ${await giveToken(context, { uuid: accountUuid })}` }
  }
  const device = await makeDevice(site.systems[0])
  const { authorization } = device
  return {
    server,
    context,
    site,
    device,
    makeDevice,
    post: (path, body, call) =>
      server.call({ path, body: body instanceof Uint8Array ? body : JSON.stringify(body), ...call }),
    pending: (query = '', call) => server.call({ method: 'GET', path: `${PENDING}${query}`, authorization, ...call }),
    set: async (value) => {
      await server.data(SET, { component: site.thermostats[0], value })
    },
  }
}

const SET = `mutation ($component: ID!, $value: JSON!) {
  setSetpoints(components: [{ component: $component, service: "heating", characteristic: "target", value: $value }]) { uuid }
}`

export function valuesOf({ json }: Answer): unknown[] {
  return (json as { value: unknown }[]).map(({ value }) => value)
}
