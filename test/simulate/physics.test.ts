import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargerPower, solarOutput, stepBattery } from '../../src/simulate/physics/electricity.ts'
import { outputOf, performance } from '../../src/simulate/physics/heat-pump.ts'
import { flowFor, setpointAt } from '../../src/simulate/physics/house-settings.ts'
import { instantOf, localTime } from '../../src/simulate/physics/local-time.ts'
import { noise } from '../../src/simulate/physics/noise.ts'
import { CAPACITY, humidityOf, stepRoom } from '../../src/simulate/physics/room.ts'
import { clearSky, climate, sunHeight } from '../../src/simulate/physics/weather.ts'

const DAY = 86_400_000
const times = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) })
const seeds = fc.integer({ min: 0, max: 999_999 })

describe('noise', () => {
  it('is the same for the same question, within its bounds, and without jumps', () => {
    fc.assert(
      fc.property(seeds, times, fc.integer({ min: 60_000, max: DAY }), (seed, time, period) => {
        const one = noise(seed, 'a')
        const value = one.smooth(time, period)
        expect(noise(seed, 'a').smooth(time, period)).toBe(value)
        expect(Math.abs(value)).toBeLessThanOrEqual(1)
        // The steepest slope of the curve is 1.875 for each unit, between -1 and 1.
        expect(Math.abs(one.smooth(time + period / 100, period) - value)).toBeLessThanOrEqual(0.04)
      }),
    )
  })

  it('is another one under another name or seed, and spread evenly', () => {
    const values = Array.from({ length: 10_000 }, (_, index) => noise(7, 'a').at(index))
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0.5, 1)
    expect(new Set(values).size).toBeGreaterThan(9_990)
    expect(noise(7, 'b').at(1)).not.toBe(noise(7, 'a').at(1))
    expect(noise(8, 'a').at(1)).not.toBe(noise(7, 'a').at(1))
  })
})

describe('local time', () => {
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  })

  it('is what the clocks in Berlin show', () => {
    fc.assert(
      fc.property(times, (time) => {
        const { hour, weekday } = localTime(time)
        const clock = [Math.floor(hour), Math.floor((hour % 1) * 60 + 1e-6)].map((part) =>
          String(part).padStart(2, '0'),
        )
        const name = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][weekday - 1]
        expect(`${name} ${clock.join(':')}`).toBe(shown.format(time).replace(',', ''))
      }),
    )
  })

  it('gives an instant for each hour that there is', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 4, max: 23 }), (time, hour) => {
        const { day } = localTime(time)
        expect(localTime(instantOf(day, hour))).toMatchObject({ day, hour })
      }),
    )
  })
})

/** Of the same hour of a month. */
function meanWeather(month: number, hour: number) {
  const sky = climate(3)
  const days = Array.from({ length: 28 }, (_, day) => sky.at(Date.UTC(2025, month, day + 1, hour)))
  const mean = (of: 'temperature' | 'radiation') => days.reduce((sum, day) => sum + day[of], 0) / days.length
  return { temperature: mean('temperature'), radiation: mean('radiation') }
}

describe('weather', () => {
  it('is possible at any time', () => {
    fc.assert(
      fc.property(seeds, times, (seed, time) => {
        const weather = climate(seed).at(time)
        expect(climate(seed).at(time)).toStrictEqual(weather)
        expect(weather.temperature).toBeGreaterThan(-25)
        expect(weather.temperature).toBeLessThan(42)
        expect(weather.wind).toBeGreaterThanOrEqual(0)
        expect(weather.wind).toBeLessThan(15)
        expect(weather.radiation).toBeGreaterThanOrEqual(0)
        expect(weather.radiation).toBeLessThanOrEqual(1.06 * clearSky(sunHeight(time)))
        expect(weather.precipitation).toBeGreaterThanOrEqual(0)
        expect(weather.precipitation).toBeLessThan(30)
      }),
    )
  })

  it('has seasons, days and nights', () => {
    const [winterDay, winterNight] = [meanWeather(0, 12), meanWeather(0, 1)]
    const [summerDay, summerNight] = [meanWeather(6, 12), meanWeather(6, 1)]
    expect(summerDay.temperature).toBeGreaterThan(winterDay.temperature + 10)
    expect(summerDay.temperature).toBeGreaterThan(summerNight.temperature + 4)
    expect(winterNight.radiation + summerNight.radiation).toBe(0)
    expect(summerDay.radiation).toBeGreaterThan(3 * winterDay.radiation)
  })
})

const air = fc.record({
  temperature: fc.double({ min: -20, max: 38, noNaN: true }),
  wind: fc.double({ min: 0, max: 12, noNaN: true }),
  radiation: fc.double({ min: 0, max: 1_000, noNaN: true }),
  precipitation: fc.constant(0),
  cloud: fc.double({ min: 0, max: 1, noNaN: true }),
  vapour: fc.double({ min: 1, max: 20, noNaN: true }),
})

describe('a room', () => {
  const around = fc.record({
    weather: air,
    flow: fc.double({ min: 0, max: 65, noNaN: true }),
    setpoint: fc.double({ min: 7, max: 26, noNaN: true }),
    isWindowOpen: fc.boolean(),
    people: fc.integer({ min: 0, max: 4 }),
  })
  const inside = fc.double({ min: 5, max: 35, noNaN: true })

  it('keeps exactly the heat that came in and did not go out', () => {
    fc.assert(
      fc.property(
        around,
        inside,
        fc.double({ min: 0.001, max: 2, noNaN: true }),
        (surroundings, temperature, hours) => {
          const room = { temperature, co2: 600, vapour: 8 }
          const { heat, gains, losses, valve } = stepRoom(room, surroundings, hours)
          expect(CAPACITY * (room.temperature - temperature)).toBeCloseTo(heat + gains - losses, 6)
          expect(heat).toBeGreaterThanOrEqual(0)
          expect(valve).toBeGreaterThanOrEqual(0)
          expect(valve).toBeLessThanOrEqual(1)
          expect(room.co2).toBeGreaterThan(400)
          expect(humidityOf(room)).toBeLessThanOrEqual(100)
        },
      ),
    )
  })

  it('comes to what its thermostat says, on a cold day with warm radiators', () => {
    const weather = { temperature: -5, wind: 3, radiation: 0, precipitation: 0, cloud: 1, vapour: 3 }
    for (const setpoint of [18, 20, 22]) {
      const room = { temperature: 15, co2: 600, vapour: 6 }
      for (let minute = 0; minute < 3 * 24 * 60; minute++)
        stepRoom(room, { weather, flow: 45, setpoint, isWindowOpen: false, people: 1 }, 1 / 60)
      expect(Math.abs(room.temperature - setpoint)).toBeLessThan(0.8)
    }
  })

  it('cools, and loses its bad air, by an open window', () => {
    const weather = { temperature: 2, wind: 3, radiation: 0, precipitation: 0, cloud: 1, vapour: 4 }
    const room = { temperature: 21, co2: 1_800, vapour: 10 }
    stepRoom(room, { weather, flow: 40, setpoint: 21, isWindowOpen: true, people: 0 }, 0.5)
    expect(room.temperature).toBeLessThan(20.6)
    expect(room.co2).toBeLessThan(500)
  })
})

describe('a heat pump', () => {
  it('gives more heat than it takes electricity, the more the less it has to lift', () => {
    const temperatures = fc.double({ min: 25, max: 65, noNaN: true })
    fc.assert(
      fc.property(temperatures, fc.double({ min: -15, max: 20, noNaN: true }), (flow, source) => {
        const here = performance(flow, source, 'brine')
        expect(here).toBeGreaterThan(1.5)
        expect(here).toBeLessThan(7)
        expect(performance(flow + 5, source, 'brine')).toBeLessThanOrEqual(here)
        expect(performance(flow, source - 5, 'brine')).toBeLessThanOrEqual(here)
      }),
    )
  })

  it('takes heat from the storage while it defrosts, and nothing worth naming while it stands', () => {
    const pump = { kind: 'air', rated: 25 } as const
    const demand = { wanted: 40, load: 1, source: 0 }
    expect(outputOf(pump, { operation: 'defrosting' }, demand).thermal).toBeLessThan(0)
    expect(outputOf(pump, { operation: 'locked' }, demand)).toMatchObject({ thermal: 0, load: 0 })
    expect(outputOf(pump, { operation: 'running' }, demand).thermal).toBeCloseTo(22.9, 1)
  })
})

describe('electricity', () => {
  it('a battery gives back less than it got, and never more than it has', () => {
    const flows = fc.array(fc.double({ min: -80, max: 80, noNaN: true }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(flows, fc.double({ min: 0, max: 1, noNaN: true }), (surpluses, charge) => {
        const battery = { capacity: 50, power: 30 }
        const state = { charge, cycles: 0, temperature: 20 }
        let [into, out] = [0, 0]
        for (const surplus of surpluses) {
          const before = state.charge
          const power = stepBattery(battery, state, { surplus, reserve: 0.1, hours: 0.25 })
          expect(Math.abs(power)).toBeLessThanOrEqual(Math.min(30, Math.abs(surplus)) + 1e-9)
          expect(state.charge).toBeGreaterThanOrEqual(Math.min(before, 0.1) - 1e-9)
          expect(state.charge).toBeLessThanOrEqual(1)
          if (power > 0) into += power * 0.25
          else out -= power * 0.25
        }
        expect(into - out).toBeGreaterThanOrEqual((state.charge - charge) * 50 - 1e-6)
      }),
    )
  })

  it('panels give what the sun allows and the grid operator too', () => {
    fc.assert(
      fc.property(air, fc.double({ min: 0, max: 50, noNaN: true }), (weather, limit) => {
        const { power, possible, state, current, voltage } = solarOutput(48, weather, limit)
        expect(power).toBeLessThanOrEqual(Math.min(possible, limit))
        expect(state === 'derated').toBe(power > 0 ? power < possible : state === 'derated')
        expect((current * voltage * 0.97) / 1_000).toBeCloseTo(power, 6)
        expect(voltage).toBeLessThan(1_000)
      }),
    )
    expect(chargerPower(16)).toBeCloseTo(11.04)
    expect(chargerPower(40)).toBe(22)
  })
})

describe('settings', () => {
  it('a heating curve is a line between its points, and flat beyond them', () => {
    const curve = [
      { outdoor: 15, flow: 28 },
      { outdoor: -15, flow: 52 },
    ]
    expect([-30, -15, 0, 15, 30].map((outdoor) => flowFor(curve, outdoor))).toStrictEqual([52, 52, 40, 28, 28])
    expect(flowFor([], 0)).toBe(35)
  })

  it.each([
    ['comfort', [21, 21]],
    ['setback', [17, 17]],
    ['frost-protection', [7, 7]],
    ['schedule', [21, 17]],
  ])('in the mode %s a thermostat holds %j by day and by night', (mode, expected) => {
    const settings = { mode, comfort: 21, setback: 17, schedule: [] }
    const [noon, night] = [Date.UTC(2026, 0, 14, 11), Date.UTC(2026, 0, 14, 23)]
    expect([setpointAt(settings, noon), setpointAt(settings, night)]).toStrictEqual(expected)
  })

  it('a schedule holds from each of its times to the next one, around the week', () => {
    const schedule = [
      { day: 5, from: '16:00', setpoint: 23 },
      { day: 1, from: '06:30', setpoint: 20 },
    ]
    const at = (day: number, hour: number) =>
      setpointAt({ mode: 'schedule', comfort: 21, setback: 17, schedule }, Date.UTC(2026, 0, 4 + day, hour - 1))
    expect([at(1, 6), at(1, 7), at(5, 15), at(5, 17), at(7, 12)]).toStrictEqual([23, 20, 20, 23, 23])
  })
})
