import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ApiError, connect, type ConnectOptions } from '../../src/api-client/index.ts'
import { Retrying, SYSTEM_CLOCK } from '../../src/api-client/retrying.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { follow } from '../server/follow.ts'
import { context, server } from '../server/one-server.ts'
import { ADD, minute, proxy, thermostat, useWorld, watched } from './world.ts'

useWorld()

const FLEETING = 'subscription { datapoints { cursor datapoints { value } } }'

/** A failure that must come. */
async function failureOf(work: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await work.then(
    () => null,
    (failure: unknown) => failure,
  )
  if (error instanceof ApiError) return error
  throw new Error(`not an ApiError: ${String(error)}`)
}

const htmlPage = (): Promise<Response> =>
  Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } }))

const busy = (retryAfter: string): Response =>
  Response.json(
    { detail: 'too much is sent', code: 'UNAVAILABLE', traceId: 'a'.repeat(32) },
    { status: 503, headers: { 'retry-after': retryAfter } },
  )

async function sentBytes(options: Partial<ConnectOptions>, value: number[]): Promise<number> {
  const { holdfast, requests } = watched(options)
  await holdfast.component('thermostat', thermostat).send({ 'heating/schedule': value })
  return requests.at(-1)?.body.length ?? 0
}

describe('a client', () => {
  it('sends a batch again whose answer was lost, and the platform stores it once', async () => {
    const { holdfast, requests, clock } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    // A subscriber sees each stored batch, also one that only repeats the points.
    const followed = follow<{ datapoints: { value: unknown }[] }>(server, FLEETING)
    await followed.until((changes) => changes.length > 0)
    proxy.loseAnswer(ADD)
    // Without a time, a batch that is stored twice would be two points.
    expect(await kitchen.send({ 'heating/limit': 1 })).toMatchObject({ stored: 1 })
    await kitchen.send({ 'heating/limit': 2 })
    const values = () => followed.changes.flatMap(({ datapoints }) => datapoints.map(({ value }) => value))
    await followed.until(() => values().includes(2))
    followed.stop()
    expect(values()).toStrictEqual([1, 2])
    expect((await kitchen.page('heating/limit')).points.map(({ value }) => value)).toStrictEqual([1, 2])
    const batches = requests.filter(({ path }) => path === ADD)
    expect(batches).toHaveLength(3)
    const keys = batches.map(({ headers }) => headers.get('idempotency-key'))
    expect([keys[0] === keys[1], keys[1] === keys[2]]).toStrictEqual([true, false])
    expect(clock.waits).toHaveLength(1)
  })

  it('waits as long as the platform asks for, and longer each time, by chance', async () => {
    const changes: (string | null)[] = []
    const onChange = (reason: ApiError | null) => void changes.push(reason?.message ?? null)
    const { holdfast, clock, answer } = watched({ retry: { onChange } })
    const kitchen = holdfast.component('thermostat', thermostat)
    answer(ADD, busy('7'), new Response(null, { status: 429 }), busy(new Date(60_000).toUTCString()))
    await kitchen.send({ 'heating/limit': 3 }, { timestamp: minute(0) })
    const [first = 0, second = 0, third = 0] = clock.waits
    expect(clock.waits).toHaveLength(3)
    expect([first >= 7_250, first <= 7_500]).toStrictEqual([true, true])
    expect([second >= 500, second <= 1_000]).toStrictEqual([true, true])
    // The clock of a device may be wrong, so a date does not count.
    expect([third >= 1_000, third <= 2_000]).toStrictEqual([true, true])
    expect(changes).toStrictEqual(['too much is sent', null])
  })

  it('waits for an hour at most, however long the answer asks for', async () => {
    const { holdfast, clock, answer } = watched({ retry: { totalMs: Infinity } })
    answer(ADD, busy('9999999999'))
    await holdfast.component('thermostat', thermostat).send({ 'heating/limit': 3 }, { timestamp: minute(0) })
    expect(clock.waits.map((wait) => wait <= 3_600_500)).toStrictEqual([true])
  })

  it('repeats its look-ups for as long as the call may', async () => {
    const { holdfast, clock, answer } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    const outage = Array.from({ length: 50 }, () => busy('30'))
    answer('/graphql', ...outage)
    expect(await failureOf(kitchen.send({ 'heating/limit': 3 }, { totalMs: 0 }))).toMatchObject({ status: 503 })
    expect(clock.waits).toStrictEqual([])
    await kitchen.send({ 'heating/limit': 3 }, { timestamp: minute(0), totalMs: Infinity })
    expect(clock.waits).toHaveLength(49)
  })

  it('has no timeout if the application wants none, and more time for a large upload', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    onTestFinished(() => timeout.mockRestore())
    await sentBytes({ timeoutMs: Infinity }, [1])
    expect(timeout.mock.lastCall).toStrictEqual([2 ** 31 - 1])
    const bytes = await sentBytes(
      {},
      Array.from({ length: 50_000 }, () => 1_000),
    )
    expect(timeout.mock.lastCall).toStrictEqual([60_000 + Math.ceil(bytes / 64)])
  })

  it('stores a batch even if the function of the application fails', async () => {
    const failed = Promise.withResolvers<unknown>()
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', failed.resolve)
    onTestFinished(() => {
      process.removeAllListeners('uncaughtException')
      for (const listener of listeners) process.on('uncaughtException', listener)
    })
    const mistake = new Error('a mistake of the application')
    const onChange = () => {
      throw mistake
    }
    const { holdfast, answer } = watched({ retry: { onChange } })
    answer(ADD, busy('1'))
    const kitchen = holdfast.component('thermostat', thermostat)
    expect(await kitchen.send({ 'heating/limit': 3 }, { timestamp: minute(0) })).toMatchObject({ stored: 1 })
    expect(await failed.promise).toBe(mistake)
  })

  it('gives up when the total time is over, and says why', async () => {
    const { holdfast, clock, answer, requests } = watched({ retry: { totalMs: 10_000 } })
    answer(ADD, ...Array.from({ length: 20 }, () => busy('4')))
    const error = await failureOf(holdfast.component('thermostat', thermostat).send({ 'heating/limit': 4 }))
    expect(error).toMatchObject({
      code: 'UNAVAILABLE',
      status: 503,
      message: 'too much is sent',
      retryable: true,
      retryAfterMs: 4_000,
    })
    expect(clock.time).toBeLessThanOrEqual(10_000)
    expect(requests.filter(({ path }) => path === ADD)).toHaveLength(3)
  })

  it('does not repeat what the platform refuses, nor a change that may have been made', async () => {
    const { holdfast, clock, answer } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    expect(await failureOf(kitchen.send({ 'heating/target': 99 }))).toMatchObject({ status: 422, retryable: false })
    answer('/graphql', busy('1'))
    expect(await failureOf(kitchen.setSetpoint('heating/target', 20))).toMatchObject({ status: 503, retryable: true })
    expect(clock.waits).toStrictEqual([])
  })

  it('repeats a query whose answer breaks off in its middle', async () => {
    const { holdfast, clock } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    await kitchen.send({ 'heating/limit': 5 }, { timestamp: minute(1) })
    proxy.loseAnswer('query Latest', 'end')
    expect(await kitchen.latest('heating/limit', { before: minute(2) })).toBe(5)
    expect(clock.waits).toHaveLength(1)
  })

  it('ends by the signal of a call, also while it waits', async () => {
    const { holdfast, answer } = watched({
      clock: {
        now: () => 0,
        wait: (_, signal) => {
          leave.abort(new Error('the person left'))
          return Promise.reject(signal.reason)
        },
      },
    })
    const leave = new AbortController()
    answer(ADD, busy('1'))
    const sending = holdfast.component('thermostat', thermostat).send({ 'heating/limit': 6 }, { signal: leave.signal })
    await expect(sending).rejects.toThrow('the person left')
  })

  it('ends by the signal of one call, while another one waits for the same look-up', async () => {
    const leave = new AbortController()
    const { promise: gone, resolve: go } = Promise.withResolvers<void>()
    const { holdfast } = watched({
      async fetch(request) {
        if ((await request.clone().text()).includes('query Supports')) {
          leave.abort(new Error('the person left'))
          await gone
        }
        return fetch(request)
      },
    })
    const kitchen = holdfast.component('thermostat', thermostat)
    const [left, stayed] = [kitchen.latest('heating/pump', { signal: leave.signal }), kitchen.latest('heating/pump')]
    await expect(left).rejects.toThrow('the person left')
    go()
    expect(await stayed).toBeNull()
  })

  it('says which address does not answer, or not as a platform', async () => {
    const nobody = connect({ url: 'http://127.0.0.1:1', token: 'x', retry: { totalMs: 0 } })
    expect(await failureOf(nobody.latest([{ component: thermostat, path: 'a/b' }]))).toMatchObject({
      code: 'UNAVAILABLE',
      status: 0,
      traceId: null,
      retryable: true,
      message: expect.stringMatching(/^no answer from http:\/\/127.0.0.1:1\/: /),
    })
    const page = connect({ url: 'http://a.example/x', fetch: htmlPage })
    const error = await failureOf(page.latest([{ component: thermostat, path: 'a/b' }]))
    expect(error.message).toBe(
      'http://a.example/x/ does not answer like a Holdfast platform (status 200); check the address',
    )
  })

  it('repeats a request even if somebody sets the clock meanwhile', async () => {
    const before = Date.now()
    const set = vi.spyOn(Date, 'now').mockReturnValue(before)
    onTestFinished(() => set.mockRestore())
    const retrying = new Retrying({}, { ...SYSTEM_CLOCK, wait: () => Promise.resolve() })
    let attempts = 0
    const work = (): Promise<string> => {
      attempts += 1
      set.mockReturnValue(before + attempts * 3_600_000)
      const away = new ApiError('UNAVAILABLE', 'the platform does not answer', { retryable: true })
      return attempts < 3 ? Promise.reject(away) : Promise.resolve('answered')
    }
    expect(await retrying.persist(work, new AbortController().signal)).toBe('answered')
  })

  it('waits by the clock of the system, and stops waiting at once', async () => {
    const leave = new AbortController()
    const away = connect({
      url: 'http://a.example',
      fetch: () => Promise.resolve(busy('100')),
      retry: { onChange: () => leave.abort(new Error('left')) },
      signal: leave.signal,
    })
    await expect(away.pendingSetpoints()).rejects.toThrow('left')
  })
})

const never = () => new Promise<never>(() => {})
const CREDENTIALS = { clientId: 'c', clientSecret: 's', username: 'u', password: 'p' }

describe.each([
  ['function', { token: never }],
  ['endpoint', { credentials: CREDENTIALS, fetch: never }],
])('a token %s that never answers', (_, options) => {
  const url = 'http://a.example'

  it('fails by the timeout of an attempt', async () => {
    const holdfast = connect({ url, timeoutMs: 1, retry: { totalMs: 0 }, ...options })
    const lost = { code: 'UNAVAILABLE', status: 0, retryable: true }
    expect(await failureOf(holdfast.pendingSetpoints({ totalMs: 0 }))).toMatchObject(lost)
    expect(await failureOf(holdfast.latest([{ component: thermostat, path: 'a/b' }]))).toMatchObject(lost)
  })

  it('does not keep a call that is aborted', async () => {
    const signal = AbortSignal.abort(new Error('the person left'))
    await expect(connect({ url, ...options }).pendingSetpoints({ signal })).rejects.toThrow('the person left')
  })
})

describe('a token', () => {
  it('that expires meanwhile is replaced, once for all requests', async () => {
    const machine = await makeMachine(context, 'somebody')
    const ends = [new Date(0), new Date(Date.now() + 3_600_000)]
    const token = () => giveToken(context, machine, { expiresAt: ends.shift() ?? new Date(0) })
    const { holdfast, requests } = watched({ token })
    const kitchen = holdfast.component('thermostat', thermostat)
    await Promise.all([1, 2, 3].map((index) => kitchen.send({ 'heating/limit': index }, { timestamp: minute(index) })))
    expect(ends).toHaveLength(0)
    expect(new Set(requests.map(({ headers }) => headers.get('authorization'))).size).toBe(2)
  })

  it('that cannot be had is the failure of the request', async () => {
    const { holdfast } = watched({ token: () => Promise.reject(new Error('nobody is signed in')) })
    expect(await failureOf(holdfast.pendingSetpoints())).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'the function that gets the token failed: nobody is signed in',
    })
  })
})
