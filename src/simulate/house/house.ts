import type { SiteSettings } from './settings.ts'
import type { SitePlan } from './site-plan.ts'
import { random, wave } from './chance.ts'
import { electricityAt } from './electricity.ts'
import { batteryLevel, restartBefore } from './habits.ts'
import { heatingAt } from './heating.ts'
import { DAY, HOUR, MINUTE } from './local-time.ts'
import { Memory } from './memory.ts'
import type { Moment, Reports } from './moment.ts'
import { roomAt } from './room.ts'
import { forecastAt, weatherAt } from './weather.ts'

/** Moves a house to a time, and returns the reports of its devices for that time. */
export function stepHouse(moment: Moment): Reports {
  const heating = heatingAt(moment)
  const rooms = moment.plan.rooms.map((_, room) => roomAt(moment, room, heating.isHeating))
  const electricity = electricityAt(moment, heating.electrical)
  const reports: Reports = Object.assign(outsideAt(moment), heating.reports, electricity, ...rooms)
  for (const { id, room } of moment.plan.components)
    if (room !== null || id === 'weather') Object.assign(reports[id] ?? {}, radioAt(moment, id))
  return reports
}

function outsideAt({ plan: { seed, components, id }, time, weather }: Moment): Reports {
  const minutesUp = Math.floor((time - restartBefore(time)) / MINUTE)
  const firmware = Math.floor(restartBefore(time) / (28 * DAY))
  return {
    weather: {
      'outdoor-temperature': weather.temperature,
      'wind-speed': weather.wind,
      'global-radiation': weather.radiation,
      precipitation: weather.precipitation,
      'weather-forecast': () => forecastAt(seed, time),
    },
    gateway: {
      'firmware-version': `4.${Math.floor(firmware / 13) - 50}.${firmware % 13}`,
      uptime: `PT${minutesUp}M`,
      'cpu-load': 16.5 + 6 * wave(seed, `cpu ${id}`, time, HOUR),
      'connected-devices': components.length - 1,
      'last-sync': new Date(time).toISOString(),
    },
  }
}

function radioAt({ plan: { seed, id }, time }: Moment, component: string) {
  const who = `${id} ${component}`
  return {
    'battery-level': () => batteryLevel(seed, who, time),
    'signal-strength': () => -92 + 27 * random(seed, who, 1) + 4 * wave(seed, who, time, HOUR),
  }
}

/** Simulates the two days before the start, so that storage and walls have the temperature of the season. */
export function warmUp(plan: SitePlan, settings: SiteSettings, until: number): Memory {
  const memory = new Memory(plan)
  const length = HOUR / 4
  for (let time = until - 2 * DAY; time <= until; time += length)
    stepHouse({ plan, settings, memory, time, hours: length / HOUR, weather: weatherAt(plan.seed, time) })
  return memory
}
