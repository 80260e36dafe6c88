import { clamp, ramp } from './numbers.ts'

export type HeatPumpKind = 'brine' | 'air'
export type HeatPumpOperation = 'standby' | 'running' | 'defrosting' | 'locked' | 'fault'

export interface HeatPump {
  readonly kind: HeatPumpKind
  /** kW */
  readonly rated: number
}

/** The state of the pump. Times are milliseconds since 1970. */
export interface HeatPumpState {
  operation: HeatPumpOperation
  /** True while it heats the hot water rather than the heating. */
  makesHotWater: boolean
  /** The time of the compressor's last start or stop. */
  since: number
  starts: number
  /** The hours that the compressor has run. */
  runtime: number
}

export interface HeatPumpOutput {
  /** kW of heat, negative while it defrosts. */
  readonly thermal: number
  /** kW of electricity */
  readonly electrical: number
  /** °C of the water that leaves it */
  readonly flow: number
  /** The share of its full power, 0 to 1. */
  readonly load: number
  /** °C of the brine or air that comes in, and that goes out. */
  readonly sourceIn: number
  readonly sourceOut: number
}

const STANDBY_POWER = 0.06
const LEAST_LOAD = 0.3
const KELVIN = 273.15

/** The output of a pump at a load of 0 to 1. `wanted` is the temperature of the heated water. */
export function outputOf(
  { rated, kind }: HeatPump,
  { operation }: Pick<HeatPumpState, 'operation'>,
  { wanted, load, source }: { readonly wanted: number; readonly load: number; readonly source: number },
): HeatPumpOutput {
  const share = operation === 'running' ? clamp(load, LEAST_LOAD, 1) : operation === 'defrosting' ? 0.5 : 0
  const sourceIn = source - (kind === 'brine' ? 1.6 * share : 0)
  const sourceOut = sourceIn - (kind === 'brine' ? 0.4 + 3.1 * share : 5 * share)
  if (operation === 'defrosting')
    return { thermal: -0.12 * rated, electrical: 0.05 * rated, flow: wanted - 4, load: share, sourceIn, sourceOut }
  if (operation !== 'running')
    return { thermal: 0, electrical: STANDBY_POWER, flow: wanted, load: 0, sourceIn, sourceOut: sourceIn }
  const flow = wanted + 1 + 4 * share
  const thermal = rated * share * (kind === 'air' ? 1 + 0.012 * Math.min(0, sourceIn - 7) : 1)
  return {
    thermal,
    electrical: thermal / performance(flow, sourceIn, kind) + STANDBY_POWER,
    flow,
    load: share,
    sourceIn,
    sourceOut,
  }
}

/** The performance as a share of Carnot's limit, between two heat exchangers of a few kelvin. */
export function performance(flow: number, source: number, kind: HeatPumpKind): number {
  const hot = flow + 3 + KELVIN
  const cold = source - (kind === 'brine' ? 4 : 8) + KELVIN
  return clamp(((kind === 'brine' ? 0.52 : 0.46) * hot) / Math.max(hot - cold, 12), 1.6, 6.8)
}

/** The temperature of the source. The ground follows the seasons only a little. */
export function sourceTemperature(kind: HeatPumpKind, outdoor: number, seasonal: number): number {
  return kind === 'air' ? outdoor : 9.5 + 0.22 * (seasonal - 9.8)
}

const SHORTEST_RUN = 8 * 60_000
const SHORTEST_PAUSE = 6 * 60_000

export interface Demand {
  readonly time: number
  /** The reason why the pump must not run; null where nothing forbids it. */
  readonly forbidden: 'locked' | 'fault' | null
  readonly isAllowedToHeat: boolean
  readonly isAllowedToMakeHotWater: boolean
  /** The kelvin by which the storage is too cold; negative where it is warmer. */
  readonly heatingGap: number
  readonly hotWaterGap: number
  /** Whether the air is such that its water freezes on the coil. */
  readonly isIcy: boolean
}

/** Decides whether the pump runs. Hot water comes first. Hysteresis and shortest times prevent frequent starts. */
export function decide(state: HeatPumpState, demand: Demand): void {
  const runs = state.operation === 'running' || state.operation === 'defrosting'
  if (demand.forbidden !== null) return stop(state, demand.time, demand.forbidden)
  const hotWater = demand.isAllowedToMakeHotWater && demand.hotWaterGap > (runs && state.makesHotWater ? -1 : 4)
  const heating = demand.isAllowedToHeat && demand.heatingGap > (runs && !state.makesHotWater ? -4 : 2)
  const lasted = demand.time - state.since
  if (!runs) {
    if ((hotWater || heating) && lasted >= SHORTEST_PAUSE) start(state, demand.time, hotWater)
    else state.operation = 'standby'
  } else if (hotWater || heating) {
    state.makesHotWater = hotWater
    state.operation = demand.isIcy && !hotWater ? 'defrosting' : 'running'
  } else if (lasted >= SHORTEST_RUN) stop(state, demand.time, 'standby')
}

/** The share of its power that is needed. */
export function loadFor({ makesHotWater }: HeatPumpState, { heatingGap }: Pick<Demand, 'heatingGap'>): number {
  return makesHotWater ? 0.75 : LEAST_LOAD + (1 - LEAST_LOAD) * ramp(heatingGap, -4, 5)
}

function start(state: HeatPumpState, time: number, hotWater: boolean): void {
  state.operation = 'running'
  state.makesHotWater = hotWater
  state.since = time
  state.starts += 1
}

function stop(state: HeatPumpState, time: number, operation: HeatPumpOperation): void {
  if (state.operation === 'running' || state.operation === 'defrosting') state.since = time
  state.operation = operation
  state.makesHotWater = false
}
