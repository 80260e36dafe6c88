import type { Battery, BatteryState, SolarOutput } from './electricity.ts'
import type { Charging, Habit, RoomKind, Span } from './habits.ts'
import {
  chargingOf,
  gridLock,
  heatPumpFault,
  hotWaterUse,
  householdLoad,
  peopleIn,
  radioSilence,
  windowsOf,
} from './habits.ts'
import type { HeatPump, HeatPumpOutput, HeatPumpState } from './heat-pump.ts'
import { noise } from './noise.ts'
import type { RoomState } from './room.ts'
import { vapourOf } from './room.ts'
import { climate, type Climate, type Weather } from './weather.ts'

export interface RoomPlan {
  /** The id seeds the random numbers of the room, so it must never change. */
  readonly id: string
  readonly kind: RoomKind
}

/** The properties of a house that never change. */
export interface HousePlan {
  readonly id: string
  readonly seed: number
  readonly heatPump: HeatPump
  readonly rooms: readonly RoomPlan[]
  /** The number of zones for each monitored room. */
  readonly zonesPerRoom: number
  /** kW */
  readonly solarPeak: number
  readonly battery: Battery
  /** The number of households. */
  readonly size: number
}

export interface RoomHabits {
  readonly people: (time: number) => number
  readonly airing: Habit
  readonly forgotten: Habit
  /** When nothing arrives of what its devices measure. */
  readonly silence: Habit
}

/** The influences on a house from outside. */
export interface HouseHabits {
  readonly climate: Climate
  readonly rooms: readonly RoomHabits[]
  readonly lock: Habit
  readonly fault: Habit
  readonly charging: (time: number) => Charging | null
  readonly hotWater: (time: number) => number
  readonly household: (time: number) => number
}

/** Values that only grow. */
export interface Meters {
  /** kWh */
  imported: number
  exported: number
  heat: number
  solar: number
  charged: number
  /** m³ */
  water: number
}

export interface HouseState {
  /** The time of this state, in milliseconds since 1970. */
  time: number
  readonly rooms: readonly RoomState[]
  readonly heatPump: HeatPumpState
  readonly battery: BatteryState
  readonly meters: Meters
  /** °C in the middle of the storage */
  buffer: number
  hotWater: number
  /** kWh of the local day */
  solarToday: number
  /** The time when the hot water was last heated against legionella. */
  legionella: number
  /** The stay of the present car, and the kWh that it has taken. */
  car: { readonly since: number; taken: number } | null
}

/** The values of the meters and sensors after the last step. */
export interface HouseFigures {
  readonly weather: Weather
  readonly heatPump: HeatPumpOutput
  /** The flow temperature that the heating needs, in °C. */
  readonly flowWanted: number
  readonly isHeating: boolean
  readonly rooms: readonly { readonly valve: number; readonly isWindowOpen: boolean; readonly people: number }[]
  /** kW that went into the rooms */
  readonly roomHeat: number
  /** m³/h */
  readonly waterFlow: number
  readonly circulates: boolean
  readonly solar: SolarOutput
  /** kW, positive while charging */
  readonly battery: number
  readonly charger: number
  readonly household: number
  /** kW, positive from the grid */
  readonly grid: number
  readonly isCarThere: boolean
}

export function habitsOf({ seed, id, rooms, size }: HousePlan): HouseHabits {
  const household = householdLoad(seed, id)
  // All houses of a seed share one weather and one grid.
  const sky = climate(seed)
  const lock = gridLock(seed)
  return {
    climate: sky,
    lock: { during: (time) => inTheCold(sky, lock.during(time)) },
    fault: heatPumpFault(seed, id),
    charging: chargingOf(seed, id),
    hotWater: hotWaterUse(seed, id),
    household: (time) => household(time) * size,
    rooms: rooms.map((room) => ({
      people: peopleIn(seed, room.id, room.kind),
      ...windowsOf(seed, room.id),
      silence: radioSilence(seed, room.id),
    })),
  }
}

function inTheCold(sky: Climate, span: Span | null): Span | null {
  return span !== null && sky.dailyMean(span.from) < 9 ? span : null
}

/** A house that has been in use for some years. */
export function newHouse({ id, seed, rooms, size }: HousePlan, time: number): HouseState {
  const age = noise(seed, `age of ${id}`)
  const reading = (index: number, most: number) => Math.round(most * size * (0.3 + 0.7 * age.at(index)))
  return {
    time,
    rooms: rooms.map(() => ({ temperature: 20.5, co2: 600, vapour: vapourOf(20.5, 45) })),
    heatPump: {
      operation: 'standby',
      makesHotWater: false,
      since: 0,
      starts: reading(1, 900),
      runtime: reading(2, 1_800),
    },
    battery: { charge: 0.4, cycles: 40 + Math.floor(200 * age.at(3)), temperature: 20 },
    meters: {
      imported: reading(4, 12_000),
      exported: reading(5, 9_000),
      heat: reading(6, 30_000),
      solar: reading(7, 16_000),
      charged: reading(8, 4_000),
      water: reading(9, 700),
    },
    buffer: 36,
    hotWater: 57,
    solarToday: 0,
    legionella: 0,
    car: null,
  }
}
