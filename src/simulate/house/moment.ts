import type { SiteSettings } from './settings.ts'
import type { SitePlan } from './site-plan.ts'
import type { Memory } from './memory.ts'
import type { Weather } from './weather.ts'

/**
 * The values of the devices by component and characteristic, without sensor errors. A value that is seldom reported is
 * a function, which computes it on demand.
 */
export interface Reports {
  readonly [component: string]: { readonly [characteristic: string]: unknown }
}

/** A house at the end of a step. */
export interface Moment {
  readonly plan: SitePlan
  readonly settings: SiteSettings
  readonly memory: Memory
  readonly time: number
  /** The length of the step. */
  readonly hours: number
  readonly weather: Weather
}
