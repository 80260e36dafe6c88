import { present } from '../../lib/present.ts'
import { clamp, wave } from './chance.ts'
import { isWindowOpen, peopleIn } from './habits.ts'
import type { Moment, Reports } from './moment.ts'
import { HOUR } from './local-time.ts'

/** The devices of a room. */
export function roomAt(moment: Moment, room: number, isHeating: boolean): Reports {
  const { plan, settings, memory, time, hours, weather } = moment
  const { name, kind } = present(plan.rooms[room])
  const who = `${plan.id} ${name}`
  const people = peopleIn(plan.seed, who, kind, time)
  const isOpen = isWindowOpen(plan.seed, who, time)
  const setpoint = settings.setpointAt(room, time)
  const follow = (characteristic: string, target: number, pace: number) =>
    memory.follow(`sensor-${room}/${characteristic}`, target, hours, pace)

  const gains = 0.25 * people + 0.0015 * weather.radiation + 0.3 * wave(plan.seed, who, time, HOUR)
  const unheated = weather.mean + 4 + 3 * gains
  const goal = isHeating ? Math.max(unheated, setpoint + gains - 0.3) : unheated
  const isWarming = isHeating && goal > memory.get(`sensor-${room}/room-temperature`)
  const temperature = isOpen
    ? follow('room-temperature', weather.temperature, 6)
    : follow('room-temperature', goal, isWarming ? 6 : 30)
  const valve = isOpen ? 0 : clamp(0.35 + (setpoint - temperature) / 1.6, 0, 1)
  return {
    [`sensor-${room}`]: {
      'room-temperature': temperature,
      'room-humidity': follow(
        'room-humidity',
        35 + 0.8 * clamp(weather.mean, 0, 22) + 6 * people - (isOpen ? 9 : 0),
        isOpen ? 0.2 : 2,
      ),
      'co2-concentration': follow('co2-concentration', 425 + (isOpen ? 45 : 550) * people, isOpen ? 0.15 : 1.8),
    },
    // The thermostat is on the wall near the door, where it is slightly warmer.
    [`thermostat-${room}`]: { 'room-temperature': temperature + 0.2 },
    [`valve-${room}`]: { 'valve-position': 100 * valve },
    [`window-${room}`]: { 'window-open': isOpen },
  }
}
