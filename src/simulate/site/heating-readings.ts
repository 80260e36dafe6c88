import { HOUR } from '../physics/local-time.ts'
import { each, sensed, slow, type Reading, type Readings, type View } from './reading.ts'

const WATER_HEAT = 1.163
/** The kelvin between flow and return of a heat pump at full power. */
const SPREAD = 7

const heatGeneration: Readings = {
  'flow-temperature': each((view) => sensed(view, flowOf(view), 0.1)),
  'return-temperature': each((view) => sensed(view, returnOf(view), 0.1)),
  'thermal-power': each(thermalPower),
  'electrical-power-input': each(({ figures }) => figures.heatPump.electrical),
  'coefficient-of-performance': each(({ figures }) =>
    figures.heatPump.thermal > 0 ? figures.heatPump.thermal / figures.heatPump.electrical : 0,
  ),
  'heat-pump-state': each(({ state }) => state.heatPump.operation),
  'grid-lock': each(({ state }) => state.heatPump.operation === 'locked'),
}

const compressor: Readings = {
  'compressor-speed': each((view) => speedOf(view)),
  'compressor-starts': each(({ state }) => state.heatPump.starts),
  'compressor-runtime': each(({ state }) => Math.floor(state.heatPump.runtime)),
}

export const HEATING_READINGS: { readonly [model: string]: Readings } = {
  'heat-pump-brine-60': {
    ...heatGeneration,
    ...compressor,
    'brine-inlet-temperature': each((view) => sensed(view, view.figures.heatPump.sourceIn, 0.1)),
    'brine-outlet-temperature': each((view) => sensed(view, view.figures.heatPump.sourceOut, 0.1)),
    'system-pressure': each((view) => sensed(view, 1.7 + 0.012 * view.figures.heatPump.sourceIn, 0.01)),
  },
  'heat-pump-air-25': { ...heatGeneration, ...compressor },
  'buffer-tank-1500': {
    'buffer-temperature-top': each((view) => sensed(view, view.state.buffer + layering(view), 0.1)),
    'buffer-temperature-bottom': each((view) => sensed(view, view.state.buffer - layering(view), 0.1)),
  },
  'hot-water-station': {
    'hot-water-temperature': each((view) => sensed(view, view.state.hotWater, 0.1)),
    'last-legionella-cycle': lastLegionellaCycle(),
    'pump-running': each(({ figures }) => figures.circulates),
    'pump-speed': each(({ figures }) => (figures.circulates ? 55 : 0)),
  },
  'heat-meter-ultrasonic': {
    'heat-energy': each(({ state }) => Math.floor(state.meters.heat)),
    'thermal-power': each(thermalPower),
    'volume-flow': each(heatingFlow),
    'flow-temperature': each((view) => sensed(view, flowOf(view), 0.05)),
    'return-temperature': each((view) => sensed(view, returnOf(view), 0.05)),
  },
  'water-meter': {
    'water-volume': each(({ state }) => state.meters.water),
    'volume-flow': each(({ figures }) => figures.waterFlow),
  },
}

function lastLegionellaCycle(): Reading {
  return slow(HOUR, ({ state }) =>
    state.legionella === 0 ? undefined : new Date(Math.floor(state.legionella / 1_000) * 1_000).toISOString(),
  )
}

function thermalPower({ figures }: View): number {
  return Math.max(0, figures.heatPump.thermal)
}

/** Standing water takes the temperature of the storage. */
function flowOf({ figures, state }: View): number {
  return figures.heatPump.load > 0 ? figures.heatPump.flow : state.buffer - 0.8
}

function returnOf(view: View): number {
  const volume = heatingFlow(view)
  return volume === 0 ? view.state.buffer - 1.5 : flowOf(view) - thermalPower(view) / (WATER_HEAT * volume)
}

/** m³/h */
function heatingFlow({ plan, figures }: View): number {
  const { load } = figures.heatPump
  return load === 0 ? 0 : (plan.heatPump.rated / (WATER_HEAT * SPREAD)) * (0.45 + 0.55 * load)
}

function speedOf(view: View): number {
  const { load } = view.figures.heatPump
  return load === 0 ? 0 : sensed(view, 900 + 5_700 * load, 12)
}

/** The kelvin between the middle and an end of the storage. Water that is drawn cools it from below. */
function layering({ figures, state }: View): number {
  const isCharged = figures.heatPump.load > 0 && !state.heatPump.makesHotWater
  return (isCharged ? 1 : 2.2) + Math.min(1.5, figures.roomHeat * 0.03)
}
