import { DAY, HOUR, localTime, MINUTE } from './local-time.ts'
import { noise, type Noise } from './noise.ts'
import { clamp, ramp } from './numbers.ts'

export interface Weather {
  /** °C */
  readonly temperature: number
  /** m/s */
  readonly wind: number
  /** W on a horizontal square metre */
  readonly radiation: number
  /** mm in the last hour */
  readonly precipitation: number
  /** 0 is clear, 1 is overcast. */
  readonly cloud: number
  /** Water in the air, in g/m³. */
  readonly vapour: number
}

/** The weather of a place in Central Europe, at any time of any year. */
export interface Climate {
  at(time: number): Weather
  /** The temperature in °C without its daily course, which decides whether a heating is on. */
  dailyMean(time: number): number
}

const LATITUDE = (51.3 * Math.PI) / 180
const LONGITUDE = 12.4
const YEAR_DAYS = 365.2425

export function climate(seed: number): Climate {
  const high = noise(seed, 'high and low')
  const clouds = noise(seed, 'clouds')
  const gusts = noise(seed, 'wind')
  const rain = noise(seed, 'rain')
  const dailyMean = (time: number) =>
    seasonalMean(time) + 5 * high.smooth(time, 4 * DAY) + 1.5 * high.smooth(time + DAY / 3, DAY)
  const cloudAt = (time: number) => cloudiness(clouds, time)
  return {
    dailyMean,
    at(time) {
      const cloud = cloudAt(time)
      const temperature = dailyMean(time) + courseOfDay(time, cloud) + 0.25 * high.smooth(time, 20 * MINUTE)
      return {
        temperature,
        cloud,
        wind: windSpeed(gusts, time, cloud),
        radiation: clearSky(sunHeight(time)) * shareThrough(cloud) * (1 + 0.06 * clouds.smooth(time, 4 * MINUTE)),
        precipitation: rainOfHour(rain, cloudAt, time),
        vapour: saturation(Math.min(temperature, dailyMean(time))) * (0.62 + 0.3 * cloud),
      }
    },
  }
}

/** The coldest day is in the middle of January. */
function seasonalMean(time: number): number {
  return 9.8 - 9.2 * Math.cos(((localTime(time).dayOfYear - 15) / YEAR_DAYS) * 2 * Math.PI)
}

/** The warmest hour is about three in the afternoon. Under clouds, day and night differ less. */
function courseOfDay(time: number, cloud: number): number {
  const { hour, dayOfYear } = localTime(time)
  const season = 0.5 - 0.5 * Math.cos(((dayOfYear - 5) / YEAR_DAYS) * 2 * Math.PI)
  return (1.2 + 3.6 * season) * (1.1 - 0.6 * cloud) * Math.cos(((hour - 15) / 24) * 2 * Math.PI)
}

function cloudiness(clouds: Noise, time: number): number {
  const slow = 0.75 * clouds.smooth(time, 36 * HOUR) + 0.4 * clouds.smooth(time, 4 * HOUR)
  return clamp(0.55 + slow + 0.18 * clouds.smooth(time, 25 * MINUTE), 0, 1)
}

function windSpeed(gusts: Noise, time: number, cloud: number): number {
  const mean = 3 + 2.2 * gusts.smooth(time, 18 * HOUR) + 1.2 * cloud
  return Math.max(0, mean + 1.1 * gusts.smooth(time, 12 * MINUTE) + 0.6 * gusts.smooth(time, MINUTE))
}

function rainOfHour(rain: Noise, cloudAt: (time: number) => number, time: number): number {
  const wetness = Math.max(0, rain.smooth(time - HOUR / 2, 3 * HOUR) - 0.1)
  return wetness === 0 ? 0 : 5 * wetness * ramp(cloudAt(time - HOUR / 2), 0.75, 1)
}

/** The sine of the sun's height over the horizon, with Cooper's formula for the declination. */
export function sunHeight(time: number): number {
  const date = new Date(time)
  const day = (time - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY
  const declination = ((23.45 * Math.PI) / 180) * Math.sin(((284 + day) / 365) * 2 * Math.PI)
  const solarHour = ((time % DAY) / HOUR + LONGITUDE / 15) % 24
  const angle = ((solarHour - 12) / 24) * 2 * Math.PI
  return Math.sin(LATITUDE) * Math.sin(declination) + Math.cos(LATITUDE) * Math.cos(declination) * Math.cos(angle)
}

/** W/m² under a clear sky (Haurwitz 1945) */
export function clearSky(height: number): number {
  return height <= 0 ? 0 : 1098 * height * Math.exp(-0.057 / height)
}

/** The share of radiation that passes the clouds (Kasten and Czeplak 1980). */
function shareThrough(cloud: number): number {
  return 1 - 0.75 * cloud ** 3.4
}

/** The most water that air can hold, in g/m³ (Magnus). */
export function saturation(temperature: number): number {
  const pascal = 611.2 * Math.exp((17.62 * temperature) / (243.12 + temperature))
  return (pascal * 2.1667) / (temperature + 273.15)
}
