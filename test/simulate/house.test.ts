import { describe, expect, it } from 'vitest'
import type { Reports } from '../../src/simulate/house/moment.ts'
import { SiteSettings } from '../../src/simulate/house/settings.ts'
import { sitePlan } from '../../src/simulate/house/site-plan.ts'
import { Site } from '../../src/simulate/site/site.ts'

// Laws of any house in any week.

// They are counted in reports, one in five minutes.
const HOUR = 12
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const SEASONS = ['2025-01-13', '2025-04-14', '2025-07-14', '2025-10-13'].map((day) => Date.parse(`${day}T00:00:00Z`))
const [WINTER = 0, , SUMMER = 0] = SEASONS

function houseAt(from: number, { seed = 1, index = 0 } = {}): Site {
  const plan = sitePlan(seed, index)
  const settings = new SiteSettings(plan)
  settings.set('gateway', 'sending-interval', 300)
  return new Site(plan, settings, from, null)
}

/** The reports of the devices, one after the other. */
const reportsOf = (site: Site, count = WEEK): Reports[] => Array.from({ length: count }, () => site.advance())

/** The numbers of one characteristic. */
function numbers(reports: readonly Reports[], component: string, characteristic: string): number[] {
  return reports.map((one) => one[component]?.[characteristic] as number)
}

/** The mean of each day's same hour. */
function atHour(all: readonly number[], hour: number): number {
  const values = all.filter((_, at) => Math.floor((at % DAY) / HOUR) === hour)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** °C in the first room. */
function afterSixHours(site: Site): number {
  return numbers(reportsOf(site, 6 * HOUR), 'sensor-0', 'room-temperature').at(-1) ?? 0
}

/** The least and the most of each. */
const RANGES: { readonly [characteristic: string]: readonly [number, number] } = {
  'outdoor-temperature': [-25, 42],
  'wind-speed': [0, 15],
  'global-radiation': [0, 1_100],
  precipitation: [0, 30],
  'room-temperature': [8, 33],
  'room-humidity': [5, 95],
  'co2-concentration': [400, 4_000],
  'valve-position': [0, 100],
  'battery-state-of-charge': [0, 100],
  'hot-water-temperature': [25, 75],
  'buffer-temperature-top': [15, 65],
  'flow-temperature': [15, 80],
  'return-temperature': [10, 80],
  'coefficient-of-performance': [0, 7],
  'active-power': [-60, 120],
  'voltage-l1': [215, 245],
  'dc-voltage': [0, 1_000],
}

const METERS = [
  ['grid-meter', 'energy-imported'],
  ['grid-meter', 'energy-exported'],
  ['heat-meter', 'heat-energy'],
  ['water-meter', 'water-volume'],
  ['solar', 'yield-total'],
  ['charger', 'energy-imported'],
  ['heat-pump', 'compressor-starts'],
  ['heat-pump', 'compressor-runtime'],
] as const

describe.each(SEASONS.map((from, season) => ({ week: new Date(from).toISOString(), from, index: season % 3 })))(
  'house $index in the week of $week',
  ({ from, index }) => {
    const week = reportsOf(houseAt(from, { index }))

    it('stays within what is possible', () => {
      const outside = week.flatMap((reports) =>
        Object.values(reports).flatMap((device) =>
          Object.entries(device).filter(([characteristic, value]) => {
            const [least, most] = RANGES[characteristic] ?? [-Infinity, Infinity]
            return typeof value === 'number' && !(value >= least && value <= most)
          }),
        ),
      )
      expect(outside).toStrictEqual([])
    })

    it('has meters that never go back', () => {
      for (const [component, characteristic] of METERS) {
        const values = numbers(week, component, characteristic)
        expect(values).toStrictEqual(values.toSorted((a, b) => a - b))
      }
    })

    it('takes from the grid what it needs beside sun and battery', () => {
      const [grid, battery, solar] = [
        numbers(week, 'grid-meter', 'active-power'),
        numbers(week, 'battery', 'battery-power'),
        numbers(week, 'solar', 'ac-power'),
      ]
      const needed = grid.map((power, at) => power - (battery[at] ?? 0) + (solar[at] ?? 0))
      expect(Math.min(...needed)).toBeGreaterThan(0)
    })

    it('has days and nights', () => {
      const outdoor = numbers(week, 'weather', 'outdoor-temperature')
      expect(atHour(outdoor, 14)).toBeGreaterThan(atHour(outdoor, 3))
      const sun = numbers(week, 'weather', 'global-radiation')
      expect([atHour(sun, 11) > 20, atHour(sun, 0)]).toStrictEqual([true, 0])
      const water = numbers(week, 'water-meter', 'volume-flow')
      expect(atHour(water, 18)).toBeGreaterThan(atHour(water, 2))
    })
  },
)

describe('a house', () => {
  it('is the same each time that it is made, and another one for another seed', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => JSON.stringify(reportsOf(houseAt(WINTER, { seed }), DAY)))
    expect(same).toBe(one)
    expect(other).not.toBe(one)
  })

  it('heats in winter and feeds in in summer', () => {
    const [winter, summer] = [WINTER, SUMMER].map((from) => {
      const week = reportsOf(houseAt(from))
      return (component: string, characteristic: string) => {
        const values = numbers(week, component, characteristic)
        return (values.at(-1) ?? 0) - (values[0] ?? 0)
      }
    })
    expect(winter?.('heat-meter', 'heat-energy')).toBeGreaterThan(2 * (summer?.('heat-meter', 'heat-energy') ?? 0))
    expect(summer?.('grid-meter', 'energy-exported')).toBeGreaterThan(winter?.('grid-meter', 'energy-exported') ?? 0)
  })

  it.each([
    ['room-setpoint', 25, 1, 9],
    ['room-setpoint', 16, -9, -0.3],
    ['thermostat-mode', 'frost-protection', -9, -0.3],
    ['heating-schedule', [{ day: 1, from: '00:00', setpoint: 25 }], 0, 0],
  ])('with %s at %j is by %d to %d degrees warmer after six hours', (characteristic, value, least, most) => {
    const changed = houseAt(WINTER)
    changed.settings.set('thermostat-0', characteristic, value)
    const difference = afterSixHours(changed) - afterSixHours(houseAt(WINTER))
    expect(difference).toBeGreaterThanOrEqual(least)
    expect(difference).toBeLessThanOrEqual(most)
  })

  it('gets cold where the heat pump is switched off', () => {
    const site = houseAt(WINTER)
    site.settings.set('heat-pump', 'heat-pump-mode', 'off')
    const week = reportsOf(site)
    expect(Math.max(...numbers(week, 'heat-pump', 'thermal-power'))).toBe(0)
    expect(numbers(week, 'sensor-0', 'room-temperature').at(-1)).toBeLessThan(15)
  })

  it('of air defrosts in the cold, and one of brine never', () => {
    const operations = [0, 1].map(
      (index) => new Set(reportsOf(houseAt(WINTER, { index })).map((one) => one['heat-pump']?.['heat-pump-state'])),
    )
    expect(operations.map((seen) => seen.has('defrosting'))).toStrictEqual([false, true])
  })
})
