import type { HouseFigures, HousePlan, HouseState } from '../physics/house.ts'
import type { Noise } from '../physics/noise.ts'
import type { Climate } from '../physics/weather.ts'

/** Everything that a device can observe when it reports. */
export interface View {
  readonly plan: HousePlan
  readonly climate: Climate
  readonly state: HouseState
  readonly figures: HouseFigures
  readonly time: number
  /** The index of its room; 0 where it is in none. */
  readonly room: number
  /** The number of components of the site. */
  readonly devices: number
  /** The noise of this sensor. */
  readonly chance: Noise
}

export interface Reading {
  /** The value to report; undefined where there is none. */
  read(view: View): unknown
  /** The milliseconds between reports of slow values; 0 to report at each interval. */
  readonly every: number
}

/** The readings of a component model by the code of the characteristic. */
export interface Readings {
  readonly [characteristic: string]: Reading
}

export function each(read: Reading['read']): Reading {
  return { read, every: 0 }
}

export function slow(every: number, read: Reading['read']): Reading {
  return { read, every }
}

/** Adds the error of a sensor, which differs each time. */
export function sensed({ chance, time }: View, value: number, error: number): number {
  return value + error * (chance.at(time / 1_000) * 2 - 1)
}
