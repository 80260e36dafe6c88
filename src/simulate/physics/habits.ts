import { DAY, HOUR, instantOf, localTime, MINUTE } from './local-time.ts'
import { noise } from './noise.ts'
import { clamp, ramp } from './numbers.ts'

// The behaviour of people and of the grid, and faults, are fixed in advance as spans: from `from` to before `to`, in
// milliseconds.

export interface Span {
  readonly from: number
  readonly to: number
}

/** Something that happens at most once in each stretch of some days. */
export interface Habit {
  /** The span that contains a time; null where none does. */
  during(time: number): Span | null
}

interface Chance {
  /** A random number from 0 to below 1, different for each question. */
  of(question: number): number
  readonly weekday: number
}

interface Happening {
  /** The local hour of the first day. */
  readonly hour: number
  readonly minutes: number
}

/**
 * Makes a habit. `plan` decides what happens in the stretch that begins with a local day, null for nothing. It ends
 * before the stretch of `days` days is over.
 */
export function habit(seed: number, name: string, plan: (chance: Chance) => Happening | null, days = 1): Habit {
  const chance = noise(seed, name)
  let known: { readonly stretch: number; readonly span: Span | null } = { stretch: Number.NaN, span: null }
  const spanOf = (stretch: number): Span | null => {
    if (known.stretch === stretch) return known.span
    const day = stretch * days
    const weekday = ((day + 3) % 7) + 1
    const planned = plan({ weekday, of: (question) => chance.at(day * 16 + question) })
    const from = planned === null ? 0 : Math.round(instantOf(day, planned.hour) / MINUTE) * MINUTE
    const span = planned === null ? null : { from, to: from + Math.round(planned.minutes) * MINUTE }
    known = { stretch, span }
    return span
  }
  return {
    during(time) {
      const span = spanOf(Math.floor(localTime(time).day / days))
      return span !== null && time >= span.from && time < span.to ? span : null
    },
  }
}

export type RoomKind = 'living' | 'bedroom' | 'kitchen' | 'office'

/** The local hours when people are in such a room. A stay over midnight is split in two. */
const PRESENCE: { readonly [kind in RoomKind]: readonly (readonly [from: number, to: number, people: number])[] } = {
  living: [
    [7, 7.6, 1],
    [17.2, 22.4, 2],
  ],
  bedroom: [
    [0, 6.6, 2],
    [22.6, 24, 2],
  ],
  kitchen: [
    [6.4, 7.1, 2],
    [12, 12.8, 1],
    [18, 19.2, 2],
  ],
  office: [[8.2, 16.6, 1]],
}

/** The number of people in a room. Their hours vary a little from day to day. */
export function peopleIn(seed: number, room: string, kind: RoomKind): (time: number) => number {
  const late = noise(seed, `people in ${room}`)
  return (time) => {
    const { hour, day, weekday } = localTime(time)
    const isWorkday = weekday <= 5
    if (kind === 'office' && !isWorkday) return 0
    const shift = (late.at(day) - 0.5) * 0.8 + (isWorkday || kind === 'bedroom' ? 0 : 0.7)
    const there = PRESENCE[kind].find(([from, to]) => hour >= begin(from, shift) && hour < begin(to, shift))
    return there === undefined || late.at(day + 50_000) < 0.06 ? 0 : there[2]
  }
}

/** Midnight does not move, since it joins two parts of a stay. */
function begin(hour: number, shift: number): number {
  return hour === 0 || hour === 24 ? hour : hour + shift
}

/** A room is aired each morning, and sometimes a window is forgotten. */
export function windowsOf(seed: number, room: string): { readonly airing: Habit; readonly forgotten: Habit } {
  return {
    airing: habit(seed, `airing ${room}`, ({ of }) =>
      of(0) < 0.85 ? { hour: 6.8 + 1.4 * of(1), minutes: 5 + 9 * of(2) } : null,
    ),
    forgotten: habit(seed, `forgotten ${room}`, ({ of }) =>
      of(0) < 0.12 ? { hour: 10 + 7 * of(1), minutes: 50 + 130 * of(2) } : null,
    ),
  }
}

/** The radio of a room is out of reach for some hours: a door of metal stands open, or a repeater was unplugged. */
export function radioSilence(seed: number, room: string): Habit {
  return habit(
    seed,
    `silence ${room}`,
    ({ of }) => (of(0) < 0.7 ? { hour: 60 * of(1), minutes: 70 + 260 * of(2) } : null),
    3,
  )
}

/** The grid locks heat pumps in the evening of working days. */
export function gridLock(seed: number): Habit {
  return habit(seed, 'grid lock', ({ of, weekday }) =>
    weekday <= 5 && of(0) < 0.35 ? { hour: 17.25 + of(1), minutes: 30 + 60 * of(2) } : null,
  )
}

/** The high-pressure switch opens, and the pump stands still until someone has looked at it. */
export function heatPumpFault(seed: number, site: string): Habit {
  return habit(
    seed,
    `fault ${site}`,
    ({ of }) => (of(0) < 0.75 ? { hour: 24 * 6 * of(1), minutes: 25 + 110 * of(2) } : null),
    7,
  )
}

/** A stay of a car that needs to be charged. */
export interface Charging {
  readonly span: Span
  /** kWh */
  readonly wanted: number
}

export function chargingOf(seed: number, site: string): (time: number) => Charging | null {
  const wanted = noise(seed, `charging ${site}`)
  const stay = habit(seed, `car ${site}`, ({ of, weekday }) =>
    of(0) < (weekday <= 5 ? 0.8 : 0.4) ? { hour: 16 + 3 * of(1), minutes: 60 * (3 + of(2)) } : null,
  )
  return (time) => {
    const span = stay.during(time)
    return span === null ? null : { span, wanted: 6 + 24 * wanted.at(Math.floor(span.from / DAY)) }
  }
}

/** The use of hot water from 0 to 1, highest in the morning and in the evening. */
export function hotWaterUse(seed: number, site: string): (time: number) => number {
  const taps = noise(seed, `taps ${site}`)
  return (time) => {
    const { hour, weekday } = localTime(time)
    const morning = bell(hour, weekday <= 5 ? 6.9 : 8.6, 1.1)
    const base = 0.03 + morning + 0.35 * bell(hour, 12.5, 0.9) + 0.6 * bell(hour, 19.3, 1.6)
    const open = ramp(taps.smooth(time, 9 * MINUTE), -0.1, 0.7)
    return hour < 5 ? 0.1 * base * open : clamp(base * open, 0, 1)
  }
}

/** The electricity of the flats in kW: the base load, and what people switch on. */
export function householdLoad(seed: number, site: string): (time: number) => number {
  const kettle = noise(seed, `kettle ${site}`)
  return (time) => {
    const { hour } = localTime(time)
    const course = 0.8 * bell(hour, 7.2, 1.4) + 0.5 * bell(hour, 12.5, 1.8) + 1.3 * bell(hour, 19.4, 2.4)
    const peaks = ramp(kettle.smooth(time, 7 * MINUTE), 0.35, 0.8) * (0.3 + 1.1 * course)
    return 0.45 + 1.1 * course + 0.15 * kettle.smooth(time, HOUR) + peaks
  }
}

function bell(hour: number, middle: number, width: number): number {
  return Math.exp(-(((hour - middle) / width) ** 2))
}
