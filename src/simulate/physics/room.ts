import { clamp } from './numbers.ts'
import { saturation } from './weather.ts'
import type { Weather } from './weather.ts'

// A monitored room stands for its zone of the building: what its radiator takes is what the zone takes.

export interface RoomState {
  /** °C */
  temperature: number
  /** ppm */
  co2: number
  /** g/m³ */
  vapour: number
}

export interface RoomSurroundings {
  readonly weather: Weather
  /** Of the water that comes to the radiators, °C. */
  readonly flow: number
  /** What the thermostat is set to now, °C. */
  readonly setpoint: number
  readonly isWindowOpen: boolean
  readonly people: number
}

export interface RoomStep {
  /** 0 to 1 */
  readonly valve: number
  /** Heat that the radiators gave, kWh. */
  readonly heat: number
  /** Heat from people, devices and the sun, kWh. */
  readonly gains: number
  /** Heat that went out, kWh. */
  readonly losses: number
}

/** kWh/K: walls and air. */
export const CAPACITY = 7
/** kW/K through walls and by the air that always changes. */
const LOSS = 0.16
const LOSS_OF_WINDOW = 0.5
const RADIATOR = 0.5
/** People and devices of the other rooms of the zone, kW. */
const BASE_GAIN = 0.35
const GAIN_OF_PERSON = 0.25
/** kW for each W/m². */
const GAIN_OF_SUN = 0.0022

/** A thermostat valve: it is half open at its setpoint, and closes while a window is open. */
function valveAt(temperature: number, { setpoint, isWindowOpen }: RoomSurroundings): number {
  return isWindowOpen ? 0 : clamp(0.35 + (setpoint - temperature) / 1.6, 0, 1)
}

/** The room after some hours in which its surroundings stand still: exact for any time, so heat is never lost. */
export function stepRoom(state: RoomState, around: RoomSurroundings, hours: number): RoomStep {
  const { weather, flow, isWindowOpen, people } = around
  const before = state.temperature
  const valve = valveAt(before, around)
  const loss = LOSS + (isWindowOpen ? LOSS_OF_WINDOW : 0)
  const radiator = flow > before ? RADIATOR * valve : 0
  const gain = BASE_GAIN + GAIN_OF_PERSON * people + GAIN_OF_SUN * weather.radiation
  const equilibrium = (loss * weather.temperature + radiator * flow + gain) / (loss + radiator)
  const pace = (loss + radiator) / CAPACITY
  const left = Math.exp(-pace * hours)
  state.temperature = equilibrium + (before - equilibrium) * left
  const mean = equilibrium + ((before - equilibrium) * (1 - left)) / (pace * hours)
  stepAir(state, around, hours)
  return {
    valve,
    heat: radiator * (flow - mean) * hours,
    gains: gain * hours,
    losses: loss * (mean - weather.temperature) * hours,
  }
}

/** m³ */
const VOLUME = 55
const CO2_OUTSIDE = 425
/** A person breathes out 18 litres an hour, and 45 g of water. */
const CO2_OF_PERSON = (0.018 / VOLUME) * 1e6
const WATER_OF_PERSON = 45 / VOLUME
/** Cooking, drying and plants, g an hour and m³. */
const WATER_OF_HOUSEHOLD = 0.45

function stepAir(state: RoomState, { weather, isWindowOpen, people }: RoomSurroundings, hours: number): void {
  /** Of the air, in an hour. */
  const change = 0.45 + (isWindowOpen ? 7 : 0.02 * weather.wind)
  const left = Math.exp(-change * hours)
  const co2 = CO2_OUTSIDE + (CO2_OF_PERSON * people) / change
  const vapour = weather.vapour + (WATER_OF_HOUSEHOLD + WATER_OF_PERSON * people) / change
  state.co2 = co2 + (state.co2 - co2) * left
  state.vapour = vapour + (state.vapour - vapour) * left
}

/** Relative, in %. */
export function humidityOf({ temperature, vapour }: RoomState): number {
  return clamp((100 * vapour) / saturation(temperature), 0, 100)
}

export function vapourOf(temperature: number, humidity: number): number {
  return (saturation(temperature) * humidity) / 100
}
