import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { HOUR, Houses, MINUTE, minutes, NOON } from './houses.ts'
import { operatorToken } from '../support/password-token.ts'
import { command, TestClock } from './real-server.ts'

// What goes wrong between a simulated house and its platform.

const SLOW = { timeout: 180_000 }

let houses: Houses
beforeAll(async () => {
  houses = await Houses.open()
}, SLOW.timeout)
afterAll(() => houses.server.close())

function busy(request: Request): Promise<Response> {
  const isBatch = request.url.endsWith('/data-points/add')
  return isBatch ? Promise.resolve(new Response(null, { status: 503 })) : fetch(request)
}

describe('a platform that is not always there', SLOW, () => {
  it('gets every datapoint once it is back, and is given the time that it asks for', async () => {
    const seed = houses.newSeed()
    const clock = new TestClock(NOON)
    let batches = 0
    // Each third batch meets a platform that is busy, each third one a connection that breaks after it has arrived.
    const unsteady = async (request: Request) => {
      if (!request.url.endsWith('/data-points/add')) return fetch(request)
      batches += 1
      if (batches % 3 === 1) return new Response(null, { status: 503, headers: { 'retry-after': '7' } })
      const response = await fetch(request)
      if (batches % 3 === 2)
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })
      return response
    }
    const { code, stderr } = await houses.simulate(seed, '--days 0.5 --once', clock, { fetch: unsteady })
    expect(code).toBe(0)
    expect(batches).toBeGreaterThan(9)
    expect(stderr).toContain('the platform cannot answer now (status 503); trying again, nothing is lost\n')
    expect(stderr).toContain('the platform answers again\n')
    expect(clock.waits.filter((wait) => wait === 1_000).length).toBeGreaterThanOrEqual(7)
    const times = (await houses.pointsOf(seed, 'weather-station', 'weather', 'global-radiation')).map(([time]) => time)
    // It also sends what happened while it waited.
    expect(times.slice(0, 720)).toStrictEqual(minutes(NOON - 12 * HOUR, NOON))
    expect(times).toStrictEqual(minutes(NOON - 12 * HOUR, times.at(-1) ?? 0))
  })

  it('is not waited for when somebody presses Ctrl-C', async () => {
    const interruption = new AbortController()
    const clock = new TestClock(NOON).at(NOON + HOUR, () => interruption.abort())
    const outcome = await houses.simulate(houses.newSeed(), '--days 0.01', clock, {
      fetch: busy,
      signal: interruption.signal,
    })
    expect(outcome.code).toBe(130)
    expect(outcome.stdout).toContain('Sent 0 datapoints')
  })
})

function changeWind(status: string): Promise<unknown> {
  const query =
    'mutation ($status: Status) { updateCharacteristic(code: "wind-speed", input: { status: $status }, allow: [STRANDS_DATA]) { code } }'
  return houses.server.graphql(query, { status })
}

function older(request: Request): Promise<Response> {
  const isOfSetpoints = request.url.includes('/set-points/')
  return isOfSetpoints ? Promise.resolve(new Response(null, { status: 404 })) : fetch(request)
}

describe('a platform', SLOW, () => {
  it('without setpoints is sent to all the same', async () => {
    const seed = houses.newSeed()
    const interruption = new AbortController()
    const clock = new TestClock(NOON).at(NOON + 5 * MINUTE, () => interruption.abort())
    const { stderr } = await houses.simulate(seed, '--days 0', clock, { fetch: older, signal: interruption.signal })
    expect(stderr).toMatch(
      /^warning: .*: setpoints are not obeyed: http:\S+ does not answer like a Holdfast platform \(status 404\); check the address\n$/,
    )
    const points = await houses.pointsOf(seed, 'weather-station', 'weather', 'wind-speed')
    expect(points.length).toBeGreaterThanOrEqual(4)
  })

  it('of which only a token is known is sent to with that, and obeyed', async () => {
    const seed = houses.newSeed()
    const { dataDir, url } = houses.server
    const env = { HOLDFAST_URL: url, HOLDFAST_TOKEN: await operatorToken(url, dataDir) }
    const interruption = new AbortController()
    const answers: unknown[] = []
    const clock = new TestClock(NOON)
      .at(NOON + 2 * MINUTE, async () => {
        answers.push(await houses.set(seed, 'battery-100', 'battery-storage', 'battery-reserve', 30))
      })
      .at(NOON + 5 * MINUTE, () => interruption.abort())
    const outcome = await houses.simulate(seed, '--days 0', clock, { env, signal: interruption.signal })
    expect(outcome).toMatchObject({ code: 130, stderr: '' })
    expect(answers).toStrictEqual([{ state: 'APPLIED', reason: null }])
  })
})

describe('a model that changes', SLOW, () => {
  it('meanwhile costs only what it does not allow any more', async () => {
    const seed = houses.newSeed()
    const interruption = new AbortController()
    onTestFinished(async () => void (await changeWind('ACTIVATED')))
    const clock = new TestClock(NOON)
      .at(NOON + 5 * MINUTE, () => changeWind('ARCHIVED'))
      .at(NOON + 20 * MINUTE, () => interruption.abort())
    const { stderr } = await houses.simulate(seed, '--days 0.02', clock, { signal: interruption.signal })
    expect(stderr.match(/refuses some datapoints/g)).toHaveLength(1)
    const wind = await houses.pointsOf(seed, 'weather-station', 'weather', 'wind-speed')
    const radiation = await houses.pointsOf(seed, 'weather-station', 'weather', 'global-radiation')
    expect(wind.at(-1)?.[0]).toBeLessThan(NOON + 7 * MINUTE)
    expect(radiation.at(-1)?.[0]).toBeGreaterThanOrEqual(NOON + 18 * MINUTE)
  })
})

function strict(request: Request): Promise<Response> {
  const asked = request.clone()
  return asked.text().then((body) => {
    if (!body.includes('mutation CreateEvent')) return fetch(request)
    const errors = [{ message: 'no such event', extensions: { code: 'BAD_USER_INPUT' } }]
    return Response.json({ errors, data: null })
  })
}

describe('a platform that refuses events', SLOW, () => {
  it('is sent the datapoints all the same', async () => {
    const seed = houses.newSeed()
    const { code, stderr } = await houses.simulate(seed, '--days 4 --interval 1h --once', new TestClock(NOON), {
      fetch: strict,
    })
    expect([code, stderr.match(/the platform refuses an event: .*no such event/g)?.length]).toStrictEqual([0, 1])
    const points = await houses.pointsOf(seed, 'weather-station', 'weather', 'wind-speed')
    expect(points.at(-1)?.[0]).toBe(NOON)
  })
})

describe('what cannot be simulated', SLOW, () => {
  it.each([
    ['--days x', '--days must be a number from 0 to 3660, not "x"'],
    ['--days -1', `--days must be a number`],
    ['--interval 60', '--interval must be a time from 1s to 1h, such as 30s or 5m, not "60"'],
    ['--interval 2h', '--interval must be'],
    ['--interval 0s', '--interval must be'],
    ['--systems 0', '--systems must be a whole number from 1 to 200, not "0"'],
    ['--seed 1.5', '--seed must be a whole number'],
    ['--url ftp://a.example', '--url must be an address'],
  ])('%s is refused', async (line, message) => {
    const outcome = await command(`simulate ${line}`, { dataDir: houses.server.dataDir })
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain(message)
  })

  it('without a server says how to have one', async () => {
    const outcome = await command('simulate', { dataDir: join(houses.server.dataDir, 'elsewhere') })
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toMatch(/no server runs on .*elsewhere, .* start one \(npm start, or holdfast serve\)/)
  })

  it('without the sample model says what to do, and makes nothing', () => {
    const { code, stdout, stderr } = houses.beforeModel
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('none of the component models that a simulated site is made of (battery-100,')
    expect(stderr).toContain('apply the sample model first: holdfast apply')
  })

  it('an archived house is left alone', async () => {
    const seed = houses.newSeed()
    await houses.simulate(seed, '--days 0.01 --once', new TestClock(NOON))
    const { uuid } = await houses.systemOf(seed)
    await houses.server.graphql(
      'mutation ($uuid: ID!) { updateSystem(uuid: $uuid, input: { status: ARCHIVED }) { uuid } }',
      {
        uuid,
      },
    )
    const outcome = await houses.simulate(seed, '--once', new TestClock(NOON + HOUR))
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toContain(
      'is ARCHIVED and takes no data; activate it, or make another site with another --seed',
    )
  })
})
