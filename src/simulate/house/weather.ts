import { clamp, random, wave } from './chance.ts'
import { DAY, HOUR, localTime, MINUTE } from './local-time.ts'

export interface Weather {
  /** °C */
  readonly temperature: number
  /** The temperature in °C without its daily cycle. It decides whether the heating is on. */
  readonly mean: number
  /** m/s */
  readonly wind: number
  /** W per horizontal square metre */
  readonly radiation: number
  /** mm in the last hour */
  readonly precipitation: number
}

const LATITUDE = (51.3 * Math.PI) / 180
const LONGITUDE = 12.4
const TURN = 2 * Math.PI

/** Returns the weather of a place in Central Europe. All houses with the same seed share it. */
export function weatherAt(seed: number, time: number): Weather {
  const course = (name: string, period: number) => wave(seed, name, time, period)
  // The coldest day is in mid-January, and the warmest hour is about three in the afternoon.
  const summer = 0.5 - 0.5 * Math.cos(angleOfYear(time) - 0.26)
  const slowClouds = 0.75 * course('clouds', 36 * HOUR) + 0.4 * course('clouds', 4 * HOUR)
  const cloud = clamp(0.55 + slowClouds + 0.18 * course('clouds', 25 * MINUTE), 0, 1)
  const mean = 0.6 + 18.4 * summer + 5 * course('pressure', 4 * DAY)
  // Under clouds, day and night differ less.
  const daily = (1.2 + 3.6 * summer) * (1.1 - 0.6 * cloud) * Math.cos(((localTime(time).hour - 15) / 24) * TURN)
  return {
    mean,
    temperature: mean + daily + 0.25 * course('air', 20 * MINUTE),
    wind: Math.max(0.3, 3 + 1.2 * cloud + 2.2 * course('wind', 18 * HOUR) + 1.4 * course('wind', 12 * MINUTE)),
    radiation: clearSky(time) * (1 - 0.75 * cloud ** 3.4),
    precipitation: 16 * Math.max(0, cloud - 0.75) * Math.max(0, course('rain', 3 * HOUR)),
  }
}

function angleOfYear(time: number): number {
  return ((time / DAY / 365.2425) % 1) * TURN
}

/** Returns W/m² under a clear sky (Haurwitz 1945), with Cooper's formula for the declination of the sun. */
function clearSky(time: number): number {
  const declination = 0.409 * Math.sin(angleOfYear(time) - 1.39)
  const angle = (((time % DAY) / HOUR + LONGITUDE / 15 - 12) / 24) * TURN
  const height =
    Math.sin(LATITUDE) * Math.sin(declination) + Math.cos(LATITUDE) * Math.cos(declination) * Math.cos(angle)
  return height <= 0 ? 0 : 1_098 * height * Math.exp(-0.057 / height)
}

/** Returns a forecast of two days. Its error grows with each hour. */
export function forecastAt(seed: number, time: number): unknown {
  const begin = Math.ceil(time / HOUR) * HOUR
  return Array.from({ length: 48 }, (_, index) => {
    const at = begin + index * HOUR
    const { temperature, radiation } = weatherAt(seed, at)
    const error = 0.05 * index * (random(seed, 'forecast', at / HOUR) - 0.5)
    return {
      hour: new Date(at).toISOString(),
      temperature: Math.round((temperature + error) * 10) / 10,
      radiation: Math.max(0, Math.round(radiation * (1 + error / 4))),
    }
  })
}
