import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, Houses, MINUTE, minutes, NOON, type Answered } from './houses.ts'
import { TestClock } from './real-server.ts'

// The command against a real server, at times that the test makes: nothing here waits.

const SLOW = { timeout: 180_000 }

let houses: Houses
beforeAll(async () => {
  houses = await Houses.open()
}, SLOW.timeout)
afterAll(() => houses.server.close())

describe('a house', SLOW, () => {
  it('is made where the sample model is, with its past, and found again', async () => {
    const seed = houses.newSeed()
    const clock = new TestClock(NOON)
    const first = await houses.simulate(seed, '--days 0.25 --once', clock)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(
      /^Lindenhof 1, seed \d+ \(simulated\): made, 35 components with \d+ series\nSent [\d,]+ datapoints and \d+ events? from 2026-01-14T06:00:00Z to 2026-01-14T12:00:00Z\.\n$/,
    )
    const { organizationUnit, metadataKeyValueStore } = await houses.systemOf(seed)
    expect(organizationUnit).toBe('lindenhof/lindenhof-1')
    expect(metadataKeyValueStore).toStrictEqual([{ key: 'commissioned-at' }])
    const outdoor = await houses.pointsOf(seed, 'weather-station', 'weather', 'outdoor-temperature')
    expect(outdoor.map(([time]) => time)).toStrictEqual(minutes(NOON - 6 * HOUR, NOON))

    const again = await houses.simulate(seed, '--days 0.25 --once', clock)
    const asJson = await houses.simulate(seed, '--once --format json', clock)
    expect(JSON.parse(asJson.stdout)).toMatchObject({ datapoints: 0, events: 0, until: expect.stringMatching(/Z$/) })
    expect(again.stdout).toMatch(/found, 35 components with \d+ series; continues after 2026-01-14T12:00:00Z\n/)
    expect(again.stdout).toContain('Nothing is missing up to 2026-01-14T12:00:00Z.\n')
    expect(await houses.componentsOf(seed)).toHaveLength(35)
    expect(await houses.pointsOf(seed, 'weather-station', 'weather', 'outdoor-temperature')).toStrictEqual(outdoor)
  })

  it('goes on where its data ends: without a hole, and its meters never go back', async () => {
    const seed = houses.newSeed()
    await houses.simulate(seed, '--days 0.05 --once', new TestClock(NOON))
    await houses.simulate(seed, '--days 7 --once', new TestClock(NOON + 90 * MINUTE))
    const begin = NOON - 72 * MINUTE
    for (const [model, service, characteristic] of [
      ['electricity-meter-3p', 'electricity-metering', 'energy-imported'],
      ['heat-meter-ultrasonic', 'heat-metering', 'heat-energy'],
      ['water-meter', 'water-metering', 'water-volume'],
      ['heat-pump-brine-60', 'compressor', 'compressor-starts'],
    ] as const) {
      const points = await houses.pointsOf(seed, model, service, characteristic)
      expect(points.map(([time]) => time)).toStrictEqual(minutes(begin, NOON + 90 * MINUTE))
      const values = points.map(([, value]) => value as number)
      expect(values).toStrictEqual(values.toSorted((a, b) => a - b))
    }
    const rooms = await houses.pointsOf(seed, 'room-sensor', 'room-climate', 'room-temperature')
    const jumps = rooms.slice(1).map(([, value], index) => Math.abs((value as number) - (rooms[index]?.[1] as number)))
    expect(Math.max(...jumps)).toBeLessThan(0.6)
  })

  it('sends each interval when it is over, by an account of its own that it gives back', async () => {
    const seed = houses.newSeed()
    const interruption = new AbortController()
    const during: unknown[] = []
    const clock = new TestClock(NOON)
      .at(NOON + 2 * MINUTE, async () => {
        const { systemCredentials } = await houses.server.graphql<{ systemCredentials: unknown[] }>(
          'query ($system: ID!) { systemCredentials(system: $system) { username } }',
          { system: (await houses.systemOf(seed)).uuid },
        )
        during.push(...systemCredentials)
      })
      .at(NOON + 10 * MINUTE, () => interruption.abort())
    const { code, stdout, stderr } = await houses.simulate(seed, '--days 0 --interval 30s', clock, {
      signal: interruption.signal,
    })
    expect(stderr).toBe('')
    expect(stdout).toContain('Sending what happens now; Ctrl-C ends it.\n')
    expect(stdout).toMatch(
      /\nSent [\d,]+ datapoints and \d+ events?\. There is data up to .*; the next run continues there\.\n$/,
    )
    expect(code).toBe(130)
    const times = (await houses.pointsOf(seed, 'weather-station', 'weather', 'wind-speed')).map(([time]) => time - NOON)
    expect(times.length).toBeGreaterThanOrEqual(19)
    expect(times).toStrictEqual(times.map((_, index) => (index + 1) * 30_000))
    expect(during).toHaveLength(1)
    const { systemCredentials } = await houses.server.graphql<{ systemCredentials: unknown[] }>(
      'query ($system: ID!) { systemCredentials(system: $system) { username } }',
      { system: (await houses.systemOf(seed)).uuid },
    )
    expect(systemCredentials).toStrictEqual([])
  })

  it('does what people set, says so, and gets warmer', async () => {
    const seed = houses.newSeed()
    const interruption = new AbortController()
    const answers: Answered[] = []
    const clock = new TestClock(NOON)
      .at(NOON + 3 * MINUTE, async () => {
        answers.push(await houses.set(seed, 'room-thermostat', 'room-control', 'room-setpoint', 25))
        answers.push(await houses.set(seed, 'room-thermostat', 'room-control', 'display-text', 'Hello'))
      })
      .at(NOON + 5 * HOUR, () => interruption.abort())
    const { stdout, stderr } = await houses.simulate(seed, '--days 0.1', clock, { signal: interruption.signal })
    expect(stderr).toBe('')
    expect(stdout).toMatch(/living room: thermostat has room-setpoint set to 25\n/)
    expect(answers).toStrictEqual([1, 2].map(() => ({ state: 'APPLIED', reason: null })))
    const setpoints = await houses.pointsOf(seed, 'room-thermostat', 'room-control', 'room-setpoint')
    expect(setpoints.at(-1)?.[1]).toBe(25)
    const rooms = await houses.pointsOf(seed, 'room-thermostat', 'room-control', 'room-temperature')
    const [before, after] = [rooms.find(([time]) => time > NOON)?.[1] as number, rooms.at(-1)?.[1] as number]
    expect(after).toBeGreaterThan(before + 1)
    // The next run begins with what people have set.
    await houses.simulate(seed, '--once', new TestClock(NOON + 7 * HOUR))
    const later = await houses.pointsOf(seed, 'room-thermostat', 'room-control', 'room-setpoint')
    expect(new Set(later.filter(([time]) => time > NOON + HOUR).map(([, value]) => value))).toStrictEqual(new Set([25]))
  })

  it('has the events of its time, and each of them once', async () => {
    const seed = houses.newSeed()
    const days = '--days 12 --interval 15m --once'
    await houses.simulate(seed, days, new TestClock(NOON))
    const read = async () => {
      const { events } = await houses.server.graphql<{
        events: { nodes: { eventModel: string; at: string; endAt: string | null }[] }
      }>(
        'query ($systems: [ID!]) { events(first: 200, filter: { systems: $systems }) { nodes { eventModel at endAt } } }',
        { systems: [(await houses.systemOf(seed)).uuid] },
      )
      return events.nodes
    }
    const found = await read()
    expect(found.map(({ eventModel }) => eventModel)).toContain('legionella-cycle-done')
    expect(found.length).toBeGreaterThan(4)
    const ends = found.filter(({ endAt }) => endAt !== null)
    expect(ends.length).toBeGreaterThan(0)
    expect(ends.filter(({ at, endAt }) => Date.parse(endAt ?? '') <= Date.parse(at))).toStrictEqual([])
    await houses.simulate(seed, '--once', new TestClock(NOON))
    expect(await read()).toStrictEqual(found)
  })
})
