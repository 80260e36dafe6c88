import { afterAll, beforeAll } from 'vitest'
import { connect, type Clock, type ConnectOptions, type Holdfast } from '../../src/api-client/index.ts'
import { ANY_DATABASE, type DatabaseKind } from '../support/databases.ts'
import { makeSettingSite, type SettingSite } from '../support/setting-site.ts'
import { context, server, useServer } from '../server/one-server.ts'
import { TOKEN } from '../server/test-server.ts'
import { proxyTo, type CuttingProxy } from './cutting-proxy.ts'
import type { Model } from './model.ts'

// A server, a site, and a network in between that can break.

export let site: SettingSite
export let proxy: CuttingProxy
/** The first thermostat. */
export let thermostat: string

export function useWorld(kind: DatabaseKind = ANY_DATABASE): void {
  useServer({ kind })
  beforeAll(async () => {
    site = await makeSettingSite(context)
    thermostat = site.thermostats[0]
    proxy = await proxyTo(server.url)
  })
  afterAll(() => proxy.close())
}

/** A clock that stands still but for the waits of the client that it is given to. */
export class TestClock implements Clock {
  time = 0
  readonly waits: number[] = []

  now = (): number => this.time

  wait = async (milliseconds: number): Promise<void> => {
    this.waits.push(milliseconds)
    this.time += milliseconds
    await new Promise(setImmediate)
  }
}

/** The requests of a client, and the answers that the test gives in place of the server. */
export interface Watched {
  readonly holdfast: Holdfast<Model>
  readonly clock: TestClock
  readonly requests: readonly { readonly path: string; readonly headers: Headers; readonly body: string }[]
  /** Answers the next requests to a path. */
  answer(path: string, ...responses: readonly Response[]): void
}

export function watched(options: Partial<ConnectOptions> = {}): Watched {
  const clock = new TestClock()
  const requests: { path: string; headers: Headers; body: string }[] = []
  const prepared = new Map<string, Response[]>()
  const holdfast = connect<Model>({
    url: proxy.url,
    token: TOKEN,
    clock,
    async fetch(request) {
      const path = new URL(request.url).pathname
      requests.push({ path, headers: request.headers, body: await request.clone().text() })
      return prepared.get(path)?.shift() ?? fetch(request)
    },
    ...options,
  })
  return { holdfast, clock, requests, answer: (path, ...responses) => void prepared.set(path, [...responses]) }
}

export const ADD = '/rest/v1/data-points/add'

/** The `index`th minute of a day in the past. */
export function minute(index: number): Date {
  return new Date(Date.UTC(2026, 0, 14) + index * 60_000)
}

export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
