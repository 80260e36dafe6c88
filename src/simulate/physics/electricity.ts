import { clamp } from './numbers.ts'
import type { Weather } from './weather.ts'

export interface SolarOutput {
  /** kW */
  readonly power: number
  /** The kW that the sun would allow. */
  readonly possible: number
  readonly state: 'waiting' | 'feeding' | 'derated'
  /** V and A of the panels */
  readonly voltage: number
  readonly current: number
}

const INVERTER_EFFICIENCY = 0.97

/** The output of panels with a peak power in kW. `limit` is the most that the inverter may give, in kW. */
export function solarOutput(peak: number, { radiation, temperature, wind }: Weather, limit: number): SolarOutput {
  const cell = temperature + (radiation * 0.032) / (1 + 0.12 * wind)
  const possible = clamp(peak * (radiation / 1000) * 0.91 * (1 - 0.0038 * (cell - 25)), 0, peak)
  const works = possible > 0.004 * peak
  const power = works ? Math.min(possible, limit) : 0
  const voltage = radiation < 2 ? 0 : 560 + 70 * (1 - Math.exp(-radiation / 60)) - 1.7 * (cell - 25)
  const current = voltage === 0 ? 0 : (power * 1000) / INVERTER_EFFICIENCY / voltage
  return { power, possible, state: works ? (power < possible ? 'derated' : 'feeding') : 'waiting', voltage, current }
}

export interface Battery {
  /** kWh */
  readonly capacity: number
  /** kW */
  readonly power: number
}

export interface BatteryState {
  /** 0 to 1 */
  charge: number
  /** The number of full cycles, with a fraction. */
  cycles: number
  /** °C */
  temperature: number
}

const ONE_WAY = 0.96

/**
 * Charges the battery with surplus power, or discharges it down to its reserve. Returns the power in kW, positive
 * while charging.
 */
export function stepBattery(
  { capacity, power }: Battery,
  state: BatteryState,
  { surplus, reserve, hours }: { readonly surplus: number; readonly reserve: number; readonly hours: number },
): number {
  const room = ((1 - state.charge) * capacity) / ONE_WAY / hours
  const rest = (Math.max(0, state.charge - reserve) * capacity * ONE_WAY) / hours
  const flow = surplus > 0 ? Math.min(surplus, power, room) : -Math.min(-surplus, power, rest)
  const stored = flow > 0 ? flow * ONE_WAY : flow / ONE_WAY
  state.charge = clamp(state.charge + (stored * hours) / capacity, 0, 1)
  state.cycles += (Math.abs(stored) * hours) / (2 * capacity)
  state.temperature += (19 + 0.12 * Math.abs(flow) - state.temperature) * (1 - Math.exp(-hours / 1.5))
  return flow
}

/** The kW of three phases at 230 V. */
export function chargerPower(ampere: number): number {
  return clamp((3 * 230 * ampere) / 1000, 0, 22)
}
