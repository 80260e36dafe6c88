import { habitsOf, newHouse, type HouseFigures, type HouseHabits, type HouseState } from '../physics/house.ts'
import { noise, type Noise } from '../physics/noise.ts'
import { advance } from '../physics/step-house.ts'
import { DAY } from '../physics/local-time.ts'
import { Occurrences, type Occurrence } from './occurrences.ts'
import { resumeHouse, type LastValue } from './resume.ts'
import type { SiteSettings } from './settings.ts'
import type { SitePlan } from './site-plan.ts'

/** Seconds */
const USUAL_INTERVAL = 60

/** A simulated house. Everything in it depends on its plan, the time, and its settings. */
export class Site {
  readonly plan: SitePlan
  readonly habits: HouseHabits
  readonly state: HouseState
  readonly settings: SiteSettings
  readonly #occurrences: Occurrences

  constructor(plan: SitePlan, habits: HouseHabits, state: HouseState, settings: SiteSettings) {
    this.plan = plan
    this.habits = habits
    this.state = state
    this.settings = settings
    const batteries = (component: string) => sensorNoise(plan, component, 'battery-level').at(0)
    this.#occurrences = new Occurrences(plan, habits, state, batteries)
  }

  get time(): number {
    return this.state.time
  }

  /** The milliseconds between its reports. */
  get interval(): number {
    const seconds = this.settings.get('gateway', 'sending-interval')
    return (typeof seconds === 'number' && seconds > 0 ? seconds : USUAL_INTERVAL) * 1_000
  }

  advance(to: number): { readonly figures: HouseFigures; readonly occurrences: readonly Occurrence[] } {
    const figures = advance(this.plan.house, this.habits, this.state, this.settings.house(), to)
    return { figures, occurrences: this.#occurrences.until(to) }
  }
}

/** The noise of a sensor. */
export function sensorNoise({ house }: SitePlan, component: string, characteristic: string): Noise {
  return noise(house.seed, `${house.id} ${component} ${characteristic}`)
}

/** The time after which storage and walls have the temperature of the season. */
const WARM_UP = 2 * DAY

/** A site that has reported nothing before `time`. */
export function newSite(plan: SitePlan, settings: SiteSettings, time: number): Site {
  const habits = habitsOf(plan.house)
  const state = newHouse(plan.house, time - WARM_UP)
  const { meters, heatPump } = newHouse(plan.house, time)
  advance(plan.house, habits, state, settings.house(), time)
  Object.assign(state.meters, meters)
  Object.assign(state.heatPump, { starts: heatPump.starts, runtime: heatPump.runtime })
  return new Site(plan, habits, state, settings)
}

/** A site that has reported before. `time` is its last report. */
export function resumedSite(plan: SitePlan, settings: SiteSettings, time: number, last: LastValue): Site {
  return new Site(plan, habitsOf(plan.house), resumeHouse(plan.house, time, last), settings)
}
