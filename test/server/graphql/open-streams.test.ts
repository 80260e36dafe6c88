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

/** On Citus, where the node of the second domain is away. It knows no token. */
const SECOND_AWAY = {
  isDistributed: true,
  rows: (_: object, __: string, [domainId]: readonly unknown[]) =>
    domainId === 2 ? Promise.reject(new Error('away')) : Promise.resolve([]),
} as unknown as Database

const stateOf = (end: Promise<unknown>) => Promise.race([end, Promise.resolve('waits')])

async function begin(database = DOWN, left = new AbortController().signal) {
  const streams = new OpenStreams({
    database,
    grants: new GrantKeeper(database),
    limits: { streams: 3, streamsOfAccount: 1 },
    now: () => new Date(),
  })
  const disconnect = vi.fn<() => void>()
  const add = (domainId: number, actor: Actor) => {
    const owner = { actor, domainId, tokenHash: new Uint8Array(32) }
    const followed = { field: 'events', right: 'data:read', keepsWithin: false } as const
    return streams.add(owner, { left, disconnect }, followed, (ends) =>
      Promise.resolve(
        new DeliveryStream<readonly number[], number>({
          show: (all) => all.values(),
          count: () => 1,
          most: 1,
          ...ends,
        }),
      ),
    )
  }
  return { streams, stream: await add(1, ACTOR), disconnect, add }
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

  it('of other domains are checked on Citus while the node of a domain is away, and stay open', async () => {
    const { streams, stream: revoked, add } = await begin(SECOND_AWAY)
    const [away, operator] = [
      await add(2, { ...ACTOR, account: { ...ACTOR.account!, uuid: 'v' } }),
      await add(3, { ...ACTOR, account: null }),
    ]
    const ends = [revoked, away, operator].map((one) => one.next().then(String, ({ code }) => code))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await Promise.all(ends.map(stateOf))).toStrictEqual(['UNAUTHENTICATED', 'waits', 'waits'])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await Promise.all(ends.map(stateOf))).toStrictEqual(['UNAUTHENTICATED', 'UNAVAILABLE', 'waits'])
    streams.close()
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

  it('count for an account, and not for others of the same name', async () => {
    const limits = { streams: 9, streamsOfAccount: 1 }
    const streams = new OpenStreams({ database: DOWN, grants: new GrantKeeper(DOWN), limits, now: () => new Date() })
    const follow = (uuid: string) => {
      const actor = { ...ACTOR, account: { ...ACTOR.account!, uuid } }
      const connection = { left: new AbortController().signal, disconnect: () => undefined }
      const followed = { field: 'events', right: 'data:read', keepsWithin: false } as const
      const owner = { actor, domainId: 1, tokenHash: new Uint8Array(32) }
      return streams.add(owner, connection, followed, (ends) =>
        Promise.resolve(
          new DeliveryStream<readonly number[], number>({
            show: (all) => all.values(),
            count: () => 1,
            most: 1,
            ...ends,
          }),
        ),
      )
    }
    await follow('a person')
    await follow('a machine user of the same name')
    await expect(follow('a person')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })
})
