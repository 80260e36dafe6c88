import { clamp } from './numbers.ts'
import { saturation } from './weather.ts'
import type { Weather } from './weather.ts'

// A monitored room stands for its whole zone of the building, whose heat its radiator takes.

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
  /** °C of the water that flows to the radiators */
  readonly flow: number
  /** The present setpoint of the thermostat, in °C. */
  readonly setpoint: number
  readonly isWindowOpen: boolean
  readonly people: number
}

export interface RoomStep {
  /** 0 to 1 */
  readonly valve: number
  /** The heat from the radiators, in kWh. */
  readonly heat: number
  /** The heat from people, devices and the sun, in kWh. */
  readonly gains: number
  /** The heat that was lost, in kWh. */
  readonly losses: number
}

/** kWh/K of walls and air */
export const CAPACITY = 7
/** kW/K through the walls and by ventilation */
const LOSS = 0.16
const LOSS_OF_WINDOW = 0.5
const RADIATOR = 0.5
/** kW of people and devices in the other rooms of the zone */
const BASE_GAIN = 0.35
const GAIN_OF_PERSON = 0.25
/** kW for each W/m² */
const GAIN_OF_SUN = 0.0022

/** The opening of a thermostat valve. It is about a third open at its setpoint, and closed while a window is open. */
function valveAt(temperature: number, { setpoint, isWindowOpen }: RoomSurroundings): number {
  return isWindowOpen ? 0 : clamp(0.35 + (setpoint - temperature) / 1.6, 0, 1)
}

/**
 * Moves a room some hours ahead while its surroundings stay the same. The solution is exact for any duration, so no
 * heat is lost.
 */
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
/** A person breathes out 18 litres of CO2 and 45 g of water in an hour. */
const CO2_OF_PERSON = (0.018 / VOLUME) * 1e6
const WATER_OF_PERSON = 45 / VOLUME
/** The water from cooking, drying and plants, in g per hour and m³. */
const WATER_OF_HOUSEHOLD = 0.45

function stepAir(state: RoomState, { weather, isWindowOpen, people }: RoomSurroundings, hours: number): void {
  /** The number of air changes in an hour. */
  const change = 0.45 + (isWindowOpen ? 7 : 0.02 * weather.wind)
  const left = Math.exp(-change * hours)
  const co2 = CO2_OUTSIDE + (CO2_OF_PERSON * people) / change
  const vapour = weather.vapour + (WATER_OF_HOUSEHOLD + WATER_OF_PERSON * people) / change
  state.co2 = co2 + (state.co2 - co2) * left
  state.vapour = vapour + (state.vapour - vapour) * left
}

/** The relative humidity in %. */
export function humidityOf({ temperature, vapour }: RoomState): number {
  return clamp((100 * vapour) / saturation(temperature), 0, 100)
}

export function vapourOf(temperature: number, humidity: number): number {
  return (saturation(temperature) * humidity) / 100
}
