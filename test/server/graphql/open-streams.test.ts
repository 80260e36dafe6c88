import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import type { Actor } from '../../../src/platform/access/grants/actor.ts'
import { GrantKeeper } from '../../../src/platform/access/grants/grant-keeper.ts'
import { DeliveryStream } from '../../../src/platform/changes/delivery-stream.ts'
import { OpenStreams } from '../../../src/server/graphql/subscriptions/open-streams.ts'

const ACTOR: Actor = {
  name: 'ann',
  account: { uuid: 'u', kind: 'person', login: 'ann', name: null, email: null, status: 'ACTIVATED' },
  scopes: ['service'],
  rights: new Set(['data:read']),
  clientId: null,
  methodUuid: null,
  rule: null,
  systemUuid: null,
  grantee: null,
  rightsVersion: null,
  rightsWithin: new Map(),
  roles: [],
  isDevice: false,
  units: null,
}

/** Nobody can ask it anything. */
const DOWN = { rows: () => Promise.reject(new Error('down')) } as unknown as Database

/** It neither answers nor fails, as behind a network that drops everything. */
const SILENT = { rows: () => new Promise(() => undefined) } as unknown as Database

async function begin(database = DOWN, left = new AbortController().signal) {
  const streams = new OpenStreams({
    database,
    grants: new GrantKeeper(database),
    limits: { streams: 1, streamsOfAccount: 1 },
    now: () => new Date(),
  })
  const disconnect = vi.fn<() => void>()
  const owner = { actor: ACTOR, domainId: 1, tokenHash: new Uint8Array(32) }
  const followed = { field: 'events', right: 'data:read', keepsWithin: false } as const
  const stream = await streams.add(owner, { left, disconnect }, followed, (ends) =>
    Promise.resolve(
      new DeliveryStream<readonly number[], number>({
        show: (all) => all.values(),
        count: () => 1,
        most: 1,
        ...ends,
      }),
    ),
  )
  return { streams, stream, disconnect }
}

describe('open streams', () => {
  beforeEach(() =>
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
  )
  afterEach(() => vi.useRealTimers())

  it.each([
    ['fails', DOWN],
    ['is silent', SILENT],
  ])('end by name where for ten seconds the database %s when asked about the token', async (_, database) => {
    const { stream } = await begin(database)
    const next = stream.next()
    next.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(9_000)
    const state = await Promise.race([next.then(String, String), Promise.resolve('waits')])
    expect(state).toBe('waits')
    await vi.advanceTimersByTimeAsync(3_000)
    await expect(next).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('try the check once after the process was paused, before they end', async () => {
    const check = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('down')))
    const { stream } = await begin({ rows: check } as unknown as Database)
    const next = stream.next()
    next.catch(() => undefined)
    // The clock goes on, and no timer fires.
    const paused = performance.now() + 60_000
    vi.spyOn(performance, 'now').mockImplementation(() => paused)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(check).toHaveBeenCalledTimes(1)
    const state = await Promise.race([next.then(String, String), Promise.resolve('waits')])
    expect(state).toBe('waits')
    await vi.advanceTimersByTimeAsync(1_000)
    await expect(next).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    vi.restoreAllMocks()
  })

  it.each(['before it is open', 'later'])('end when the client has gone %s', async (when) => {
    const client = new AbortController()
    if (when !== 'later') client.abort()
    const { stream } = await begin(DOWN, client.signal)
    client.abort()
    expect(await stream.next()).toStrictEqual({ done: true, value: undefined })
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    ['asks for no more', false],
    // What was handed over may wait in the connection.
    ['was handed the reason', true],
  ])('are cut off half a minute after their end where the client %s', async (_, isAsked) => {
    const { streams, stream, disconnect } = await begin()
    stream.fail(new Error('revoked'))
    const handed = isAsked ? await stream.next().catch(String) : 'Error: revoked'
    expect(handed).toBe('Error: revoked')
    await vi.advanceTimersByTimeAsync(29_000)
    expect(disconnect).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(disconnect).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(isAsked ? 0 : 1)
    streams.close()
  })
})
