import type { HouseFigures, HousePlan, HouseState } from '../physics/house.ts'
import type { Noise } from '../physics/noise.ts'
import type { Climate } from '../physics/weather.ts'

/** All that a device can see when it reports. */
export interface View {
  readonly plan: HousePlan
  readonly climate: Climate
  readonly state: HouseState
  readonly figures: HouseFigures
  readonly time: number
  /** Index of its room; 0 where it is in none. */
  readonly room: number
  /** How many components the site has. */
  readonly devices: number
  /** Of this characteristic of this device: what its sensor adds. */
  readonly chance: Noise
}

export interface Reading {
  /** Undefined: there is nothing to report. */
  read(view: View): unknown
  /** Milliseconds between reports of what changes slowly; 0: at each interval. */
  readonly every: number
}

/** What the devices of a component model measure, by the code of the characteristic. */
export interface Readings {
  readonly [characteristic: string]: Reading
}

export function each(read: Reading['read']): Reading {
  return { read, every: 0 }
}

export function slow(every: number, read: Reading['read']): Reading {
  return { read, every }
}

/** A sensor is a little wrong, and another little at each time. */
export function sensed({ chance, time }: View, value: number, error: number): number {
  return value + error * (chance.at(time / 1_000) * 2 - 1)
}
