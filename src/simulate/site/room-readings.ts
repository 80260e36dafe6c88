import { present } from '../../lib/present.ts'
import { DAY, HOUR, MINUTE } from '../physics/local-time.ts'
import { humidityOf, type RoomState } from '../physics/room.ts'
import { each, sensed, slow, type Readings, type View } from './reading.ts'

const radioDevice: Readings = {
  'battery-level': slow(HOUR, ({ chance, time }) => batteryLevel(chance.at(0), time)),
  'signal-strength': slow(15 * MINUTE, (view) =>
    sensed(view, -92 + 25 * view.chance.at(1) + 4 * view.chance.smooth(view.time, HOUR), 2),
  ),
}

export const ROOM_READINGS: { readonly [model: string]: Readings } = {
  'room-sensor': {
    ...radioDevice,
    'room-temperature': each((view) => sensed(view, roomOf(view).temperature, 0.06)),
    'room-humidity': each((view) => sensed(view, humidityOf(roomOf(view)), 0.3)),
    'co2-concentration': each((view) => sensed(view, roomOf(view).co2, 4)),
  },
  'room-thermostat': {
    ...radioDevice,
    // The thermostat is on the wall beside the door, where it is a little warmer.
    'room-temperature': each((view) => sensed(view, roomOf(view).temperature + 0.2, 0.06)),
  },
  'radiator-valve': {
    ...radioDevice,
    'valve-position': each((view) => (view.figures.rooms[view.room]?.valve ?? 0) * 100),
  },
  'window-sensor': {
    ...radioDevice,
    'window-open': each((view) => view.figures.rooms[view.room]?.isWindowOpen ?? false),
  },
  'weather-station': {
    ...radioDevice,
    'outdoor-temperature': each((view) => sensed(view, view.figures.weather.temperature, 0.06)),
    'wind-speed': each((view) => sensed(view, view.figures.weather.wind, 0.2)),
    'global-radiation': each(({ figures }) => figures.weather.radiation),
    precipitation: each(({ figures }) => figures.weather.precipitation),
    'weather-forecast': slow(HOUR, forecast),
  },
}

function roomOf({ state, room }: View): RoomState {
  return present(state.rooms[room])
}

const BATTERY_LIFE = 700 * DAY

/**
 * The level of a battery falls to a tenth in two years, and then the battery is changed. `first` is its wear in 1970,
 * from 0 to 1.
 */
function batteryLevel(first: number, time: number): number {
  return 100 - 90 * ((time / BATTERY_LIFE + first) % 1)
}

/** The time when it last fell to 15 %. */
export function batteryWentLow(first: number, time: number): number {
  const age = (time / BATTERY_LIFE + first - 85 / 90) % 1
  return time - (age < 0 ? age + 1 : age) * BATTERY_LIFE
}

/** A forecast whose error grows with each hour. */
function forecast({ climate, time, chance }: View): unknown {
  const hour = Math.ceil(time / HOUR) * HOUR
  return Array.from({ length: 48 }, (_, index) => {
    const at = hour + index * HOUR
    const { temperature, radiation } = climate.at(at)
    const error = (0.05 * index * (chance.at(at / HOUR) * 2 - 1)) / 2
    return {
      hour: new Date(at).toISOString(),
      temperature: Math.round((temperature + error) * 10) / 10,
      radiation: Math.max(0, Math.round(radiation * (1 + error / 4))),
    }
  })
}
