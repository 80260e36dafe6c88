import { afterEach, describe, expect, it } from 'vitest'
import { connect, type Changes, type FollowedPoint } from '../../src/api-client/index.ts'
import { minute, proxy, site, thermostat, useWorld, watched } from './world.ts'

useWorld()

const leaving = new Set<AbortController>()
afterEach(() => {
  for (const one of leaving) one.abort()
  leaving.clear()
})

function leave(): AbortController {
  const controller = new AbortController()
  leaving.add(controller)
  return controller
}

/** Reads changes until a value came. */
async function until(changes: AsyncIterator<Changes>, value: unknown): Promise<FollowedPoint[]> {
  const points: FollowedPoint[] = []
  while (!points.some((point) => point.value === value)) {
    const next = await changes.next()
    if (next.done === true) throw new Error('the stream ended')
    points.push(...next.value.points)
  }
  return points
}

describe('a client follows', () => {
  it('new datapoints, with their component and path', async () => {
    const { holdfast } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    const { signal } = leave()
    const changes = kitchen.follow({ signal })
    await changes.next()
    await holdfast.component('boiler', site.boiler).send({ 'heating/temperature': 60 }, { timestamp: minute(1) })
    await kitchen.send({ 'heating/target': 20 }, { timestamp: minute(1) })
    const { value } = await changes.next()
    expect(value?.points).toStrictEqual([
      { component: thermostat, path: 'heating/target', timestamp: minute(1).toISOString(), value: 20 },
    ])
  })

  it('on after each break, without a loss', async () => {
    const { holdfast, clock, requests } = watched()
    const { holdfast: sender } = watched()
    const kitchen = sender.component('thermostat', thermostat)
    const changes = holdfast.followDatapoints({ signal: leave().signal, characteristics: ['limit'] })
    await changes.next()
    const seen: FollowedPoint[] = []
    for (const round of [0, 1, 2]) {
      await kitchen.send({ 'heating/limit': 10 * round }, { timestamp: minute(round) })
      seen.push(...(await until(changes, 10 * round)))
      proxy.cut()
      // Nobody listens while this is stored.
      await kitchen.send({ 'heating/limit': 10 * round + 1 }, { timestamp: minute(10 + round) })
    }
    seen.push(...(await until(changes, 21)))
    expect(seen.map(({ value }) => value)).toStrictEqual([0, 1, 10, 11, 20, 21])
    expect(clock.waits.length).toBeGreaterThanOrEqual(3)
    const cursors = requests
      .filter(({ body }) => body.includes('subscription'))
      .map(({ body }) => JSON.parse(body).variables.after)
    expect([cursors[0], new Set(cursors).size]).toStrictEqual([null, cursors.length])
  })

  it('after a cursor of an earlier run', async () => {
    const { holdfast } = watched()
    const kitchen = holdfast.component('thermostat', thermostat)
    const first = holdfast.followDatapoints({ signal: leave().signal })
    const { value } = await first.next()
    await kitchen.send({ 'heating/limit': 77 }, { timestamp: minute(20) })
    const again = holdfast.followDatapoints({ signal: leave().signal, after: value.cursor })
    expect((await until(again, 77)).map((point) => point.value)).toStrictEqual([77])
  })

  it.each(['UNAUTHENTICATED', 'LIMIT_EXCEEDED', 'UNAVAILABLE'])('on after the server ends it as %s', async (code) => {
    const { holdfast, answer, clock, requests } = watched()
    const first = await holdfast.followDatapoints({ signal: leave().signal }).next()
    const message = { data: { datapoints: { cursor: first.value.cursor, datapoints: [] } } }
    const end = { errors: [{ message: 'it ends', extensions: { code } }] }
    const body = [message, end].map((one) => `event: next\ndata: ${JSON.stringify(one)}\n\n`).join('')
    answer('/graphql', new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
    const changes = holdfast.followDatapoints({ signal: leave().signal })
    await changes.next()
    await changes.next()
    expect(clock.waits).toHaveLength(1)
    expect(JSON.parse(requests.at(-1)?.body ?? '')).toMatchObject({ variables: { after: first.value.cursor } })
  })

  it('until a failure that a repetition does not mend', async () => {
    const { holdfast, clock } = watched()
    const wrong = holdfast.followDatapoints({ after: 'no cursor' })
    await expect(wrong.next()).rejects.toMatchObject({ code: 'BAD_USER_INPUT', traceId: expect.any(String) })
    expect(clock.waits).toStrictEqual([])
    const json = connect({ url: proxy.url, fetch: () => Promise.resolve(Response.json({})) })
    await expect(json.followDatapoints().next()).rejects.toMatchObject({ code: 'INTERNAL', retryable: false })
    for (const data of ['{oops', '{"data":{}}']) {
      const event = new Response(`event: next\ndata: ${data}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
      const broken = connect({ url: proxy.url, fetch: () => Promise.resolve(event) })
      await expect(broken.followDatapoints().next()).rejects.toMatchObject({ code: 'INTERNAL', retryable: false })
    }
  })

  it('until the signal is aborted', async () => {
    const { holdfast } = watched()
    const controller = leave()
    const changes = holdfast.followDatapoints({ signal: controller.signal })
    await changes.next()
    const next = changes.next()
    controller.abort(new Error('the page is closed'))
    await expect(next).rejects.toThrow('the page is closed')
  })
})
