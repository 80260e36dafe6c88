import { Memory } from '../house/memory.ts'
import { stepHouse, warmUp } from '../house/house.ts'
import { HOUR } from '../house/local-time.ts'
import type { Reports } from '../house/moment.ts'
import { weatherAt } from '../house/weather.ts'
import type { SiteSettings } from '../house/settings.ts'
import type { SitePlan } from '../house/site-plan.ts'

/** A simulated house. Its state depends only on its plan, the time, its settings, and its last reports. */
export class Site {
  readonly plan: SitePlan
  readonly settings: SiteSettings
  time: number
  readonly #memory: Memory

  /** If the site has reported before, `last` contains its last datapoints up to `time`. */
  constructor(plan: SitePlan, settings: SiteSettings, time: number, last: ReadonlyMap<string, unknown> | null) {
    this.plan = plan
    this.settings = settings
    this.time = time
    this.#memory = last === null ? warmUp(plan, settings, time) : new Memory(plan)
    for (const [key, value] of last ?? []) if (typeof value === 'number') this.#memory.set(key, value)
  }

  /** Returns the time of the next report. Intervals are aligned to the clock, so all sites report at the same times. */
  get nextTime(): number {
    const seconds = this.settings.number('gateway', 'sending-interval')
    const interval = Math.max(1, seconds) * 1_000
    return (Math.floor(this.time / interval) + 1) * interval
  }

  /** Moves the site to its next report. */
  advance(): Reports {
    const { plan, settings, nextTime: time } = this
    const hours = (time - this.time) / HOUR
    this.time = time
    return stepHouse({ plan, settings, memory: this.#memory, time, hours, weather: weatherAt(plan.seed, time) })
  }
}
