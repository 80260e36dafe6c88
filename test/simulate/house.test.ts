import { describe, expect, it } from 'vitest'
import type { HouseFigures, HouseState } from '../../src/simulate/physics/house.ts'
import { newSite } from '../../src/simulate/site/site.ts'
import { SiteSettings } from '../../src/simulate/site/settings.ts'
import { sitePlan } from '../../src/simulate/site/site-plan.ts'
import { isLong } from '../support/runs.ts'

// What must hold in any house in any week. A step is exact arithmetic, so the balances are, too.

const MINUTE = 60_000
const DAY = 24 * 60
const WEEK = 7 * DAY
const SEASONS = ['2025-01-13', '2025-04-14', '2025-07-14', '2025-10-13'].map((day) => Date.parse(`${day}T00:00:00Z`))

function houseAt(from: number, { seed = 1, index = 0 } = {}) {
  const plan = sitePlan(seed, index)
  return newSite(plan, new SiteSettings(plan), from)
}

function live(
  from: number,
  options: { seed?: number; index?: number },
  look: (state: HouseState, figures: HouseFigures) => void,
  minutes = WEEK,
) {
  const site = houseAt(from, options)
  for (let minute = 1; minute <= minutes; minute++) look(site.state, site.advance(from + minute * MINUTE).figures)
  return site
}

const WEEKS = SEASONS.flatMap((from) => [0, 1, 2].map((index) => ({ from, index, week: new Date(from).toISOString() })))

/** Each season and each house once; all of them in `npm run test:long`. */
const SOME_WEEKS = WEEKS.filter(({ from, index }) => isLong || SEASONS.indexOf(from) % 3 === index)

describe.each(SOME_WEEKS)('house $index in the week of $week', ({ from, index }) => {
  it('counts what flows, stays within what devices bear, and keeps people warm', () => {
    let [energy, solar] = [0, 0]
    const site = houseAt(from, { index })
    const before = { ...site.state.meters, starts: site.state.heatPump.starts }
    let last = { ...before }
    for (let minute = 1; minute <= WEEK; minute++) {
      const { figures } = site.advance(from + minute * MINUTE)
      const { state } = site
      energy += figures.grid / 60
      solar += figures.solar.power / 60
      const meters = { ...state.meters, starts: state.heatPump.starts }
      for (const name of Object.keys(meters) as (keyof typeof meters)[]) expectInside(meters[name] - last[name], 0, 10)
      last = meters
      const needed = figures.household + figures.heatPump.electrical + figures.charger + figures.battery
      expectInside(figures.grid - (needed - figures.solar.power), -1e-9, 1e-9)
      expectInside(state.buffer, 15, 60)
      // Where the heat pump is broken, nobody makes it warm.
      expectInside(state.hotWater, 25, 75)
      for (const room of state.rooms) expectInside(room.temperature, 8, 33)
      for (const room of state.rooms) expectInside(room.co2, 400, 4_000)
      expectInside(figures.heatPump.flow, 15, 80)
      expectInside(figures.grid, -60, 120)
    }
    const { imported, exported, solar: yielded } = site.state.meters
    expect(imported - before.imported - (exported - before.exported)).toBeCloseTo(energy, 6)
    expect(yielded - before.solar).toBeCloseTo(solar, 6)
    expectInside(site.state.heatPump.starts - before.starts, 4, 7 * 40)
  })
})

function expectInside(value: number, least: number, most: number): void {
  // A plain comparison: this is asked a million times.
  if (!(value >= least && value <= most)) throw new Error(`${value} is not from ${least} to ${most}`)
}

const [winter = 0, , summer = 0] = SEASONS

/** °C in the first room after six hours, with its thermostat set to something. */
function temperatureAfter(setpoint: number | null): number {
  const site = houseAt(winter)
  if (setpoint !== null) site.settings.set('thermostat-0', 'room-setpoint', setpoint)
  for (let minute = 1; minute <= 6 * 60; minute++) site.advance(winter + minute * MINUTE)
  return site.state.rooms[0]?.temperature ?? 0
}

function operationsOf(index: number): Set<string> {
  const seen = new Set<string>()
  live(winter, { index }, ({ heatPump }) => seen.add(heatPump.operation))
  return seen
}

describe('a house', () => {
  it('is the same each time that it is made, and another one for another seed', () => {
    const [one, same, other] = [1, 1, 2].map((seed) =>
      structuredClone(live(winter, { seed }, () => undefined, isLong ? WEEK : DAY).state),
    )
    expect(same).toStrictEqual(one)
    expect(other).not.toStrictEqual(one)
  })

  it('does not depend on how often it reports', () => {
    const often = houseAt(winter)
    const seldom = houseAt(winter)
    for (let quarter = 1; quarter <= 96; quarter++) {
      for (let minute = -14; minute <= 0; minute++) often.advance(winter + (quarter * 15 + minute) * MINUTE)
      seldom.advance(winter + quarter * 15 * MINUTE)
    }
    expect(seldom.state).toStrictEqual(often.state)
  })

  it('heats in winter and feeds in in summer', () => {
    const sums = [winter, summer].map((from) => {
      let [heat, exported] = [0, 0]
      live(from, {}, (_, figures) => {
        heat += figures.roomHeat / 60
        exported += Math.max(0, -figures.grid) / 60
      })
      return { heat, exported }
    })
    expect(sums[0]?.heat).toBeGreaterThan(1_000)
    expect(sums[1]?.heat).toBeLessThan(200)
    expect(sums[1]?.exported).toBeGreaterThan(sums[0]?.exported ?? 0)
  })

  it('is as warm as people set it', () => {
    const usual = temperatureAfter(null)
    expect(temperatureAfter(25)).toBeGreaterThan(usual + 1)
    expect(temperatureAfter(16)).toBeLessThan(usual - 0.3)
  })

  it('gets cold where the heat pump is switched off', () => {
    const site = houseAt(winter)
    site.settings.set('heat-pump', 'heat-pump-mode', 'off')
    for (let minute = 1; minute <= WEEK; minute++) {
      const { figures } = site.advance(winter + minute * MINUTE)
      // It may have run, and does not stop in the middle of it.
      if (minute > 10) expectInside(figures.heatPump.thermal, 0, 0)
    }
    expect(site.state.rooms[0]?.temperature).toBeLessThan(15)
  })

  it('of air defrosts in the cold, and one of brine never', () => {
    expect(operationsOf(1)).toContain('defrosting')
    expect(operationsOf(0)).not.toContain('defrosting')
  })
})
