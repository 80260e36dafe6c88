import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../../src/records/data-types/data-type.ts'
import { isViolation } from '../../src/records/values/violation.ts'
import type { RecordBody } from '../../src/records/record-type.ts'
import { fitTo } from '../../src/simulate/site/fit.ts'
import { occurrencesBetween, type Occurrence } from '../../src/simulate/site/occurrences.ts'
import { Series, type Supported } from '../../src/simulate/site/series.ts'
import { SiteSettings } from '../../src/simulate/house/settings.ts'
import { Site } from '../../src/simulate/site/site.ts'
import { sitePlan } from '../../src/simulate/house/site-plan.ts'

// The datapoints and events that the devices of a house report.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const JANUARY = Date.UTC(2026, 0, 12)

function houseAt(from: number, index = 0): Site {
  const plan = sitePlan(1, index)
  return new Site(plan, new SiteSettings(plan), from, null)
}

describe('a value', () => {
  const numbers = fc.double({ min: -1e6, max: 1e6, noNaN: true })
  const definitions = fc
    .record({
      dataType: fc.constantFrom('FLOAT', 'INTEGER'),
      boundaryMin: fc.option(fc.integer({ min: -1_000, max: 0 })),
      boundaryMax: fc.option(fc.integer({ min: 10, max: 1_000 })),
      boundaryStep: fc.option(fc.constantFrom(0.5, 1, 2, 5)),
      precision: fc.option(fc.integer({ min: 0, max: 6 })),
    })
    // A step that no value of the data type or the precision can be on leaves nothing to send.
    .filter(
      ({ boundaryStep, dataType, precision }) => boundaryStep !== 0.5 || (dataType === 'FLOAT' && precision !== 0),
    )

  it('is one that the platform takes, and the nearest of them', () => {
    fc.assert(
      fc.property(definitions, numbers, (definition, value) => {
        const { text } = fitTo(definition)(value)
        const sent = Number(text)
        expect(isViolation(compileRules(definition).accept(sent))).toBe(false)
        const { boundaryMin, boundaryMax, boundaryStep, precision, dataType } = definition
        const inside = Math.min(Math.max(value, boundaryMin ?? -Infinity), boundaryMax ?? Infinity)
        const grid = boundaryStep ?? (dataType === 'INTEGER' ? 1 : 10 ** -(precision ?? 3))
        expect(Math.abs(sent - inside)).toBeLessThanOrEqual(grid + 1e-6)
      }),
    )
  })

  it.each([
    [{ dataType: 'SELECT', options: [{ key: 'a', label: 'A' }] }, 'a', '"a"'],
    [{ dataType: 'SELECT', options: [{ key: 'a', label: 'A' }] }, 'b', null],
    [{ dataType: 'SELECT', multiple: true, options: [{ key: 'a', label: 'A' }] }, [], '[]'],
    [{ dataType: 'BOOLEAN' }, true, 'true'],
    [{ dataType: 'BOOLEAN' }, 1, null],
    [{ dataType: 'STRING' }, 'x"', '"x\\""'],
    [{ dataType: 'FLOAT' }, Number.NaN, null],
    [{ dataType: 'FLOAT' }, 'warm', null],
    [{ dataType: 'TIMESPAN' }, 'PT5M', '"PT5M"'],
  ] as readonly (readonly [RecordBody, unknown, string | null])[])('of %j from %j is %s', (definition, value, text) => {
    const fitted = fitTo(definition)(value)
    expect(fitted.text).toBe(text)
    expect(fitted.problem === undefined).toBe(text !== null)
  })
})

function seriesOf(site: Site, id: string, characteristic: string, more: Partial<Supported> = {}): Series {
  const component = site.plan.components.find((one) => one.id === id)
  if (component === undefined) throw new Error(`there is no ${id}`)
  return new Series(site, {
    component,
    characteristic,
    isSetting: false,
    definition: { dataType: 'FLOAT', precision: 1 },
    uuid: 'co',
    path: 'se/ch',
    lastValue: undefined,
    lastTime: null,
    ...more,
  })
}

/** The datapoints of a characteristic over some minutes. */
function reported(site: Site, series: Series, minutes: number): { value: unknown; timestamp: number }[] {
  return Array.from({ length: minutes }, () => {
    const before = site.time
    return series.report(site.advance(), site.time, before)
  }).flatMap((point) => (point === null ? [] : [{ ...point, timestamp: Number(point.timestamp) }]))
}

describe('a device', () => {
  it('reports a number at each interval, and says whose it is', () => {
    const site = houseAt(JANUARY)
    const points = reported(site, seriesOf(site, 'weather', 'outdoor-temperature'), 30)
    expect(points).toHaveLength(30)
    expect(points[0]).toStrictEqual({
      component: 'co',
      path: 'se/ch',
      value: expect.any(Number),
      timestamp: JANUARY + MINUTE,
    })
  })

  it('reports a state when it becomes another one, and each hour', () => {
    const site = houseAt(JANUARY)
    const options = ['standby', 'running', 'locked', 'fault'].map((key) => ({ key, label: key }))
    const series = seriesOf(site, 'heat-pump', 'heat-pump-state', { definition: { dataType: 'SELECT', options } })
    const points = reported(site, series, 24 * 60)
    expect(points.length).toBeGreaterThan(24)
    expect(points.length).toBeLessThan(24 + 100)
    const quiet = points.filter(({ value, timestamp }, at) => value === points[at - 1]?.value && timestamp % HOUR !== 0)
    expect(quiet).toStrictEqual([])
  })

  it('reports slow values once an hour', () => {
    const site = houseAt(JANUARY)
    const definition = { dataType: 'JSON' }
    const points = reported(site, seriesOf(site, 'weather', 'weather-forecast', { definition }), 180)
    expect(points.map(({ timestamp }) => timestamp - JANUARY)).toStrictEqual([MINUTE, HOUR, 2 * HOUR, 3 * HOUR])
  })

  it('does not repeat what the platform knows already', () => {
    const site = houseAt(JANUARY)
    const known = { definition: { dataType: 'BOOLEAN' }, isSetting: true, lastValue: false }
    const series = seriesOf(site, 'thermostat-0', 'child-lock', known)
    expect(reported(site, series, 59)).toStrictEqual([])
    expect(reported(site, series, 1)).toHaveLength(1)
  })

  it('reports settings of which the simulation knows nothing once somebody has set them', () => {
    const site = houseAt(JANUARY)
    const series = seriesOf(site, 'thermostat-0', 'display-text', {
      definition: { dataType: 'STRING' },
      isSetting: true,
    })
    expect(reported(site, series, 61)).toStrictEqual([])
    site.settings.set('thermostat-0', 'display-text', 'Hello')
    expect(reported(site, series, 2).map(({ value }) => value)).toStrictEqual(['Hello'])
  })

  it('of a room is missing for some hours of most weeks, while what was set is known', () => {
    const site = houseAt(JANUARY)
    const week = 7 * 24 * 60
    const measured = seriesOf(site, 'sensor-0', 'co2-concentration')
    const times = reported(site, measured, week).map(({ timestamp }) => timestamp)
    const gaps = times.slice(1).flatMap((time, at) => {
      const minutes = (time - (times[at] ?? 0)) / MINUTE
      return minutes > 1 ? [minutes] : []
    })
    expect(gaps.length).toBeGreaterThan(0)
    expect(Math.min(...gaps)).toBeGreaterThan(60)
    expect(Math.max(...gaps)).toBeLessThan(6 * 60)
    const again = houseAt(JANUARY)
    const set = seriesOf(again, 'thermostat-0', 'room-setpoint', { isSetting: true })
    expect(reported(again, set, week)).toHaveLength(7 * 24 + 1)
  })

  it('is silent about what nobody can simulate, and where the model changed says so', () => {
    const site = houseAt(JANUARY)
    expect(reported(site, seriesOf(site, 'weather', 'soil-moisture'), 5)).toStrictEqual([])
    const series = seriesOf(site, 'weather', 'wind-speed', { definition: { dataType: 'BOOLEAN' } })
    expect(reported(site, series, 5)).toStrictEqual([])
    expect(series.problem).toContain('true or false')
  })
})

describe('settings', () => {
  const plan = sitePlan(1, 1)

  it('of another data type than the simulation knows change nothing', () => {
    const usual = new SiteSettings(plan)
    const strange = new SiteSettings(plan)
    for (const [component, characteristic] of [
      ['heat-pump', 'flow-temperature-setpoint'],
      ['heat-pump', 'heating-curve'],
      ['hot-water', 'circulation-pause'],
      ['thermostat-0', 'room-setpoint'],
      ['thermostat-0', 'heating-schedule'],
    ] as const)
      strange.set(component, characteristic, { strange: true })
    expect(strange.setpointAt(0, JANUARY)).toBe(usual.setpointAt(0, JANUARY))
    expect(strange.circulationPauseHours()).toBe(usual.circulationPauseHours())
    expect(strange.number('heat-pump', 'flow-temperature-setpoint')).toBe(55)
    expect(strange.flowFor(0)).toBe(35)
  })

  it('make a heating curve a line between its points, which is flat beyond them and ends at the limit', () => {
    const settings = new SiteSettings(plan)
    settings.set('heat-pump', 'heating-curve', [
      { outdoor: 15, flow: 28 },
      { outdoor: -15, flow: 52 },
    ])
    settings.set('heat-pump', 'flow-temperature-setpoint', 50)
    expect([-30, -15, 0, 15, 30].map((outdoor) => settings.flowFor(outdoor))).toStrictEqual([50, 50, 40, 28, 28])
  })

  it('make a schedule hold from each of its times to the next one, around the week', () => {
    const settings = new SiteSettings(plan)
    settings.set('thermostat-1', 'heating-schedule', [
      { day: 5, from: '16:00', setpoint: 23 },
      { day: 1, from: '06:30', setpoint: 20 },
    ])
    const at = (day: number, hour: number) => settings.setpointAt(1, Date.UTC(2026, 0, 4 + day, hour - 1))
    expect([at(1, 6), at(1, 7), at(5, 15), at(5, 17), at(7, 12)]).toStrictEqual([23, 20, 20, 23, 23])
  })

  it('that a device cannot obey are refused with a reason', () => {
    expect(new SiteSettings(plan).refusalOf('heat-pump', 'heat-pump-mode', 'cooling')).toContain('brine')
    expect(new SiteSettings(sitePlan(1, 0)).refusalOf('heat-pump', 'heat-pump-mode', 'cooling')).toBeNull()
  })
})

function occurrencesOf(site: Site, until: number): Occurrence[] {
  const found: Occurrence[] = []
  for (let time = site.time; time < until; time += 5 * MINUTE)
    found.push(...occurrencesBetween(site, time, time + 5 * MINUTE))
  return found
}

const MARCH = JANUARY + 42 * 24 * HOUR

describe('events', () => {
  it('begin before they end, each once, and say what happened in the house', () => {
    const found = occurrencesOf(houseAt(JANUARY), MARCH)
    const models = new Set(found.map(({ model }) => model))
    expect([...models].sort()).toStrictEqual(
      expect.arrayContaining([
        'firmware-updated',
        'grid-lock-active',
        'heat-pump-fault',
        'legionella-cycle-done',
        'window-left-open',
      ]),
    )
    const ranges = found.filter(({ isSinglePoint }) => !isSinglePoint)
    const open = new Set<string>()
    for (const { model, component, from, to } of ranges) {
      const key = `${model} ${component} ${from}`
      expect(open.has(key)).toBe(to !== null)
      expect(to ?? Infinity).toBeGreaterThan(from)
      if (to === null) open.add(key)
      else open.delete(key)
    }
    const trips = found.filter(({ model }) => model === 'high-pressure-trip').map(({ from }) => from)
    const faults = ranges.filter(({ model, to }) => model === 'heat-pump-fault' && to === null)
    expect(trips).toStrictEqual(faults.map(({ from }) => from))
  })

  it('go on where they were told before', () => {
    const { plan, settings } = houseAt(JANUARY)
    const whole = occurrencesOf(houseAt(JANUARY), MARCH)
    const fault = whole.find(({ model, to }) => model === 'heat-pump-fault' && to !== null)
    if (fault === undefined) throw new Error('nothing broke')
    const middle = fault.from + 5 * MINUTE
    const rest = occurrencesOf(new Site(plan, settings, middle, new Map()), middle + 7 * HOUR)
    expect(rest.filter(({ model }) => model === 'heat-pump-fault')).toStrictEqual([fault])
    expect(rest.filter(({ model }) => model === 'high-pressure-trip')).toStrictEqual([])
  })
})

it.each(['soon', '99:00', '', '-3:00'])('a house goes on where the model lets somebody set the time %j', (time) => {
  const site = houseAt(JANUARY)
  site.settings.set('hot-water', 'legionella-cycle-time', time)
  expect(() => site.advance()).not.toThrow()
})
