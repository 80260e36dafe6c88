import { each, sensed, slow, type Readings, type View } from './reading.ts'
import { DAY, HOUR, MINUTE } from '../physics/local-time.ts'

const VOLTS = 231

export const ELECTRICITY_READINGS: { readonly [model: string]: Readings } = {
  'electricity-meter-3p': {
    'active-power': each(({ figures }) => figures.grid),
    'energy-imported': each(({ state }) => state.meters.imported),
    'energy-exported': each(({ state }) => state.meters.exported),
    'voltage-l1': each((view) => voltageOf(view, 0)),
    'voltage-l2': each((view) => voltageOf(view, 1)),
    'voltage-l3': each((view) => voltageOf(view, 2)),
    'grid-frequency': each(
      ({ chance, time }) => 50 + 0.018 * chance.smooth(time, 7 * MINUTE) + 0.006 * chance.smooth(time, MINUTE),
    ),
  },
  'pv-inverter-50': {
    'ac-power': each(({ figures }) => figures.solar.power),
    'dc-voltage': each((view) =>
      view.figures.solar.voltage === 0 ? 0 : sensed(view, view.figures.solar.voltage, 1.5),
    ),
    'dc-current': each(({ figures }) => figures.solar.current),
    'yield-today': each(({ state }) => Math.floor(state.solarToday * 10) / 10),
    'yield-total': each(({ state }) => Math.floor(state.meters.solar)),
    'inverter-state': each(({ figures }) => figures.solar.state),
    'inverter-warnings': each(({ figures }) =>
      figures.weather.temperature > 31 && figures.solar.power > 30 ? ['over-temperature'] : [],
    ),
  },
  'battery-100': {
    'battery-state-of-charge': each(({ state }) => state.battery.charge * 100),
    'battery-power': each(({ figures }) => figures.battery),
    'battery-temperature': each((view) => sensed(view, view.state.battery.temperature, 0.05)),
    'battery-cycles': slow(HOUR, ({ state }) => Math.floor(state.battery.cycles)),
  },
  'charging-point-22': {
    'charging-power': each(({ figures }) => figures.charger),
    'charging-state': each(({ figures }) => (figures.charger > 0 ? 'c' : figures.isCarThere ? 'b' : 'a')),
    'active-power': each(({ figures }) => figures.charger),
    'energy-imported': each(({ state }) => state.meters.charged),
    'energy-exported': slow(HOUR, () => 0),
  },
  'site-gateway': {
    'firmware-version': each(({ time }) => firmwareAt(time)),
    uptime: slow(15 * MINUTE, ({ time }) => `PT${Math.floor((time - restartBefore(time)) / MINUTE)}M`),
    'cpu-load': each((view) => 14 + 6 * view.chance.smooth(view.time, HOUR) + 5 * view.chance.at(view.time / 1_000)),
    'connected-devices': slow(15 * MINUTE, ({ devices }) => devices - 1),
    'last-sync': slow(15 * MINUTE, ({ time }) => new Date(time).toISOString()),
  },
}

/** The voltage sinks where houses draw much, and rises where the sun feeds in. */
function voltageOf({ figures, chance, time }: View, phase: number): number {
  return (
    VOLTS + phase - 0.055 * figures.grid + 1.4 * chance.smooth(time, 50 * MINUTE) + 0.5 * chance.smooth(time, MINUTE)
  )
}

/** New firmware comes every four weeks, in a night from Tuesday to Wednesday. */
function firmwareAt(time: number): string {
  return `4.${Math.floor(restartBefore(time) / FIRMWARE_WEEKS / 13) - 50}.${Math.floor(restartBefore(time) / FIRMWARE_WEEKS) % 13}`
}

const FIRMWARE_WEEKS = 28 * DAY
/** The first of January 1970 was a Thursday. */
const FIRST_RESTART = 6 * DAY + 2 * HOUR

/** The last restart of a gateway, which restarts when new firmware is installed. */
export function restartBefore(time: number): number {
  return Math.floor((time - FIRST_RESTART) / FIRMWARE_WEEKS) * FIRMWARE_WEEKS + FIRST_RESTART
}
