import { hourOf, type SiteSettings } from './settings.ts'
import { clamp } from './chance.ts'
import { hotWaterUse, spanOf, type Span } from './habits.ts'
import type { Moment, Reports } from './moment.ts'
import { HOUR, instantOf, localTime, MINUTE } from './local-time.ts'
import { weatherAt } from './weather.ts'

/** The heating is off above this outdoor temperature in °C. */
const HEATING_LIMIT = 15.5
const LEGIONELLA_HOURS = 2
/** kWh per cubic metre of water and kelvin */
const WATER_HEAT = 1.163
const KELVIN = 273.15

const BUFFER = 'buffer/buffer-temperature-top'
const HOT_WATER = 'hot-water/hot-water-temperature'
/** 1 while the pump heats the hot water instead of the heating. */
const MADE_HOT_WATER = 'heat-pump/makes-hot-water'
const SPEED = 'heat-pump/compressor-speed'

type Operation = 'standby' | 'running' | 'defrosting' | 'locked' | 'fault'

interface Work {
  readonly operation: Operation
  readonly makesHotWater: boolean
  /** The share of the full power of the heat pump, 0 to 1. */
  readonly load: number
}

/** The heat pump with its storage and meters. */
export function heatingAt(moment: Moment): {
  readonly reports: Reports
  readonly isHeating: boolean
  readonly electrical: number
} {
  const { settings, memory, hours, weather } = moment
  const mode = settings.text('heat-pump', 'heat-pump-mode')
  const isHeating = weather.mean < HEATING_LIMIT && !['off', 'hot-water', 'cooling'].includes(mode)
  const wanted = settings.flowFor(0.4 * weather.temperature + 0.6 * weather.mean)
  const work = workAt(moment, wanted, isHeating, !['off', 'heating'].includes(mode))
  const { operation, load, makesHotWater } = work
  if (load > 0 && memory.get(SPEED) === 0) memory.add('heat-pump/compressor-starts', 1)
  memory.set(SPEED, load === 0 ? 0 : 900 + 5_700 * load)
  const { thermal, electrical, flow, sourceIn, sourceOut } = outputAt(moment, work)

  const need = clamp((18 - weather.temperature) / 30, 0.05, 1)
  const warms = operation === 'running' && !makesHotWater
  if (warms) memory.follow(BUFFER, wanted + 9 - 10 * need, hours, 1)
  else memory.follow(BUFFER, isHeating ? wanted - 12 : 20, hours, isHeating ? 0.8 / need : 60)
  /** The difference between flow and return in kelvin. */
  const spread = load === 0 ? 0.7 : 4 + 3 * load
  const water = {
    'thermal-power': thermal,
    'flow-temperature': flow,
    'return-temperature': flow - spread,
  }
  const reports = {
    'heat-pump': {
      ...water,
      'electrical-power-input': electrical,
      'coefficient-of-performance': thermal / electrical,
      'heat-pump-state': operation,
      'grid-lock': operation === 'locked',
      'compressor-speed': memory.get(SPEED),
      'compressor-starts': memory.get('heat-pump/compressor-starts'),
      'compressor-runtime': memory.add('heat-pump/compressor-runtime', load > 0 ? hours : 0),
      'brine-inlet-temperature': sourceIn,
      'brine-outlet-temperature': sourceOut,
      'system-pressure': 1.7 + 0.012 * sourceIn,
    },
    buffer: {
      'buffer-temperature-top': memory.get(BUFFER),
      // Drawing water cools the tank from below.
      'buffer-temperature-bottom': memory.get(BUFFER) - (warms ? 2 : 4.4 + 2 * need),
    },
    'heat-meter': {
      ...water,
      'volume-flow': thermal / (WATER_HEAT * spread),
      'heat-energy': memory.add('heat-meter/heat-energy', thermal * hours),
    },
    ...hotWaterAt(moment, makesHotWater),
  }
  return { reports, isHeating, electrical }
}

/** Decides whether the pump runs. Hot water comes first. Hysteresis prevents frequent starts. */
function workAt(moment: Moment, wanted: number, isHeating: boolean, mayMakeHotWater: boolean): Work {
  const { plan, memory, time, weather } = moment
  const made = memory.get(MADE_HOT_WATER) === 1
  const ran = memory.get(SPEED) > 0 && !made
  const forbidden = reasonToStop(moment)
  const gap = hotWaterTarget(moment) - memory.get(HOT_WATER)
  const makesHotWater = forbidden === null && mayMakeHotWater && gap > (made ? -1 : 4)
  memory.set(MADE_HOT_WATER, makesHotWater ? 1 : 0)
  if (forbidden !== null) return { operation: forbidden, makesHotWater, load: 0 }
  if (makesHotWater) return { operation: 'running', makesHotWater, load: 0.75 }
  const heatingGap = wanted - memory.get(BUFFER)
  if (!isHeating || heatingGap <= (ran ? -4 : 2)) return { operation: 'standby', makesHotWater, load: 0 }
  // In cold air, water freezes on the coil.
  const isIcy = plan.heatPump.kind === 'air' && weather.temperature < 4.5 && time % (75 * MINUTE) < 6 * MINUTE
  if (isIcy) return { operation: 'defrosting', makesHotWater, load: 0.5 }
  return { operation: 'running', makesHotWater, load: clamp(0.62 + 0.08 * heatingGap, 0.3, 1) }
}

function reasonToStop({ plan: { seed, id }, time }: Moment): 'fault' | 'locked' | null {
  if (spanOf('fault', seed, id, time) !== null) return 'fault'
  return lockAt(seed, time) === null ? null : 'locked'
}

/** The power in kW and the temperatures in °C of the pump. */
function outputAt({ plan, memory, weather }: Moment, { operation, makesHotWater, load }: Work) {
  const { kind, rated } = plan.heatPump
  const stored = memory.get(makesHotWater ? HOT_WATER : BUFFER)
  const isBrine = kind === 'brine'
  // The temperature of the ground changes only a little over the year.
  const sourceIn = isBrine ? 9.5 + 0.22 * (weather.mean - 9.8) - 1.6 * load : weather.temperature
  const sourceOut = load === 0 ? sourceIn : sourceIn - 0.4 - 3.1 * load
  const standby = { thermal: 0, electrical: 0.06, flow: stored - 0.8, sourceIn, sourceOut }
  if (operation === 'defrosting') return { ...standby, electrical: 0.05 * rated, flow: stored - 4 }
  if (load === 0) return standby
  const flow = stored + 1 + 4 * load
  const thermal = rated * load * (isBrine ? 1 : 1 + 0.012 * Math.min(0, sourceIn - 7))
  const lift = Math.max(flow + 3 - sourceIn + (isBrine ? 4 : 8), 12)
  const performance = clamp(((isBrine ? 0.52 : 0.46) * (flow + 3 + KELVIN)) / lift, 1.6, 6.8)
  return { thermal, electrical: thermal / performance + 0.06, flow, sourceIn, sourceOut }
}

/** Returns when the grid operator locks heat pumps: on cold working days. */
export function lockAt(seed: number, time: number): Span | null {
  const span = localTime(time).weekday > 5 ? null : spanOf('lock', seed, 'grid', time)
  return span !== null && weatherAt(seed, span.from).mean < 9 ? span : null
}

function hotWaterAt(moment: Moment, isMade: boolean): Reports {
  const { plan, settings, memory, time, hours } = moment
  const use = hotWaterUse(plan.seed, plan.id, time)
  if (isMade) memory.follow(HOT_WATER, hotWaterTarget(moment) + 6, hours, 0.4)
  else memory.follow(HOT_WATER, 20, hours, 60 / (1 + 15 * use))
  const circulates = (localTime(time).hour + 2) % 24 >= settings.circulationPauseHours()
  const volume = 0.22 * plan.size * use
  return {
    'hot-water': {
      'hot-water-temperature': memory.get(HOT_WATER),
      'last-legionella-cycle': new Date(legionellaBefore(settings, time)).toISOString(),
      'pump-running': circulates,
      'pump-speed': circulates ? 55 : 0,
    },
    'water-meter': { 'volume-flow': volume, 'water-volume': memory.add('water-meter/water-volume', volume * hours) },
  }
}

/** Returns the target temperature. On Sunday nights it is high, to kill legionella. */
function hotWaterTarget({ settings, time }: Moment): number {
  const isDue = legionellaBefore(settings, time + LEGIONELLA_HOURS * HOUR) > time
  return isDue ? 65 : settings.number('hot-water', 'hot-water-setpoint')
}

/** Returns the last time when a heating cycle against legionella ended. */
export function legionellaBefore(settings: SiteSettings, time: number): number {
  const { day, weekday } = localTime(time)
  const hour = hourOf(settings.text('hot-water', 'legionella-cycle-time')) + LEGIONELLA_HOURS
  const sunday = day - (weekday % 7)
  return Math.max(...[sunday - 7, sunday].map((one) => instantOf(one, hour)).filter((end) => end <= time))
}
