import type { SiteSettings } from './settings.ts'
import type { SitePlan } from './site-plan.ts'
import type { Memory } from './memory.ts'
import type { Weather } from './weather.ts'

/**
 * The values of the devices, without the errors of their sensors: by component and characteristic. A function makes a
 * value that is seldom reported.
 */
export interface Reports {
  readonly [component: string]: { readonly [characteristic: string]: unknown }
}

/** The end of a step, and the house that takes it. */
export interface Moment {
  readonly plan: SitePlan
  readonly settings: SiteSettings
  readonly memory: Memory
  readonly time: number
  /** The length of the step. */
  readonly hours: number
  readonly weather: Weather
}
