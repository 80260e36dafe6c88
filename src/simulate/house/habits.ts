import { clamp, random, wave } from './chance.ts'
import { DAY, HOUR, instantOf, localTime, MINUTE } from './local-time.ts'

/** The time from `from` to before `to`, in milliseconds since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

type Range = readonly [least: number, most: number]

/** A habit that occurs at most once in each period of `days` days, and ends within it. */
interface Habit {
  readonly days: number
  readonly chance: number
  /** The local hour of the period's first day at which it begins. */
  readonly hour: Range
  readonly minutes: Range
}

const HABITS = {
  /** A room is aired each morning, and sometimes a window is forgotten. */
  airing: { days: 1, chance: 0.85, hour: [6.8, 8.2], minutes: [5, 14] },
  forgotten: { days: 1, chance: 0.08, hour: [10, 17], minutes: [50, 180] },
  /** A room has no radio connection, because a metal door is open or a repeater is unplugged. */
  silence: { days: 3, chance: 0.7, hour: [0, 60], minutes: [70, 330] },
  /** The grid operator locks heat pumps in the evening. */
  lock: { days: 1, chance: 0.25, hour: [17.25, 18.25], minutes: [30, 90] },
  /** The high-pressure switch opens, and the pump stops until somebody resets it. */
  fault: { days: 7, chance: 0.75, hour: [0, 144], minutes: [25, 135] },
  /** A car is at the charging point. */
  car: { days: 1, chance: 0.7, hour: [16, 19], minutes: [180, 240] },
} as const satisfies { readonly [name: string]: Habit }

/** Returns the span that contains a time, or null. `who` identifies the device or room that has the habit. */
export function spanOf(habit: keyof typeof HABITS, seed: number, who: string, time: number): Span | null {
  const { days, chance, hour, minutes } = HABITS[habit]
  const day = Math.floor(localTime(time).day / days) * days
  const draw = (question: number) => random(seed, `${habit} ${who}`, day * 4 + question)
  if (draw(0) >= chance) return null
  const within = ([least, most]: Range, question: number) => least + (most - least) * draw(question)
  const from = Math.round(instantOf(day, within(hour, 1)) / MINUTE) * MINUTE
  const to = from + Math.round(within(minutes, 2)) * MINUTE
  return time >= from && time < to ? { from, to } : null
}

export function isWindowOpen(seed: number, room: string, time: number): boolean {
  return spanOf('airing', seed, room, time) !== null || spanOf('forgotten', seed, room, time) !== null
}

export type RoomKind = 'living' | 'bedroom' | 'kitchen' | 'office'

/** The local hours when people are in a room of this kind. 30 is six in the morning of the next day. */
const PRESENCE: { readonly [kind in RoomKind]: readonly (readonly [from: number, to: number, people: number])[] } = {
  living: [
    [7, 7.6, 1],
    [17.2, 22.4, 2],
  ],
  bedroom: [[22.6, 30.6, 2]],
  kitchen: [
    [6.4, 7.1, 2],
    [12, 12.8, 1],
    [18, 19.2, 2],
  ],
  office: [[8.2, 16.6, 1]],
}

/** Returns the number of people in a room. Their hours vary slightly from day to day, and sometimes they are away. */
export function peopleIn(seed: number, room: string, kind: RoomKind, time: number): number {
  const { hour, day, weekday } = localTime(time)
  const isWorkday = weekday <= 5
  if (kind === 'office' && !isWorkday) return 0
  const shift = (random(seed, `late ${room}`, day) - 0.5) * 0.8 + (isWorkday || kind === 'bedroom' ? 0 : 0.7)
  const isIn = (at: number, [from, to]: readonly [number, number, number]) => at >= from + shift && at < to + shift
  const there = PRESENCE[kind].find((stay) => isIn(hour, stay) || isIn(hour + 24, stay))
  return there === undefined || random(seed, `away ${room}`, day) < 0.06 ? 0 : there[2]
}

/** Returns the use of hot water from 0 to 1. It is highest in the morning and in the evening. */
export function hotWaterUse(seed: number, site: string, time: number): number {
  const { hour } = localTime(time)
  const base = 0.03 + bell(hour, 7.2, 1.2) + 0.35 * bell(hour, 12.5, 0.9) + 0.6 * bell(hour, 19.3, 1.6)
  return base * clamp(0.1 + 1.2 * wave(seed, `taps ${site}`, time, 9 * MINUTE), 0, 0.9)
}

/** Returns the power that one household uses in kW: the base load, and the appliances that people switch on. */
export function householdLoad(seed: number, site: string, time: number): number {
  const { hour } = localTime(time)
  const course = 0.8 * bell(hour, 7.2, 1.4) + 0.5 * bell(hour, 12.5, 1.8) + 1.3 * bell(hour, 19.4, 2.4)
  const peaks = clamp(wave(seed, `kettle ${site}`, time, 7 * MINUTE) - 0.35, 0, 0.5) * (0.6 + 2.2 * course)
  return 0.45 + 1.1 * course + 0.15 * wave(seed, `kettle ${site}`, time, HOUR) + peaks
}

function bell(hour: number, middle: number, width: number): number {
  return Math.exp(-(((hour - middle) / width) ** 2))
}

/** Returns the gateway's last restart. New firmware comes every four weeks, in the night to Wednesday. */
export function restartBefore(time: number): number {
  const [period, first] = [28 * DAY, 5 * DAY + 26 * HOUR]
  return Math.floor((time - first) / period) * period + first
}

const BATTERY_LIFE = 700 * DAY

/** Returns the charge of a battery in percent. It falls to 10 % in two years, and then the battery is replaced. */
export function batteryLevel(seed: number, who: string, time: number): number {
  return 100 - 90 * ((time / BATTERY_LIFE + random(seed, `battery ${who}`, 0)) % 1)
}

/** Returns the time when a battery last fell to 15 %. */
export function batteryWentLow(seed: number, who: string, time: number): number {
  const since = (((100 - batteryLevel(seed, who, time) - 85) / 90 + 1) % 1) * BATTERY_LIFE
  return Math.round((time - since) / MINUTE) * MINUTE
}
