import { present } from '../../lib/present.ts'
import { chargerPower, solarOutput, stepBattery } from './electricity.ts'
import { decide, loadFor, outputOf, sourceTemperature, type Demand, type HeatPumpOutput } from './heat-pump.ts'
import type { HouseFigures, HouseHabits, HousePlan, HouseState } from './house.ts'
import { flowFor, setpointAt, type HouseSettings } from './house-settings.ts'
import { DAY, HOUR, instantOf, localTime, MINUTE } from './local-time.ts'
import { stepRoom } from './room.ts'
import type { Weather } from './weather.ts'

/** kWh/K */
const BUFFER_CAPACITY = 1.74
const HOT_WATER_CAPACITY = 1.1
/** The heating is off when it is warmer than this, in °C. */
const HEATING_LIMIT = 15.5
const LEGIONELLA_TARGET = 65
const LEGIONELLA_HOURS = 3
/** kWh for each cubic metre of water and kelvin */
const WATER_HEAT = 1.163
const COLD_WATER = 10

/** Longer steps would let the temperature of the storage oscillate. */
const LONGEST_STEP = MINUTE

/** Moves a house to a later time, in steps that are short enough, and returns its values at that time. */
export function advance(
  plan: HousePlan,
  habits: HouseHabits,
  state: HouseState,
  settings: HouseSettings,
  to: number,
): HouseFigures {
  const steps = Math.max(1, Math.ceil((to - state.time) / LONGEST_STEP))
  const length = (to - state.time) / steps
  for (let step = 1; step < steps; step++) stepHouse(plan, habits, state, settings, length)
  return stepHouse(plan, habits, state, settings, to - state.time)
}

function stepHouse(
  plan: HousePlan,
  habits: HouseHabits,
  state: HouseState,
  settings: HouseSettings,
  length: number,
): HouseFigures {
  const time = state.time + length
  const hours = length / HOUR
  const weather = habits.climate.at(time)
  const mean = habits.climate.dailyMean(time)
  const isHeating = mean < HEATING_LIMIT && !['off', 'hot-water', 'cooling'].includes(settings.heatPumpMode)
  const flowWanted = Math.min(flowFor(settings.curve, 0.4 * weather.temperature + 0.6 * mean), settings.flowLimit)
  const rooms = stepRooms(habits, state, settings, {
    time,
    hours,
    weather,
    flow: isHeating ? Math.min(state.buffer, flowWanted) : 0,
  })
  const roomHeat = (plan.zonesPerRoom * rooms.reduce((sum, { heat }) => sum + heat, 0)) / hours
  const heatPump = stepHeat(plan, habits, state, settings, {
    time,
    hours,
    weather,
    mean,
    isHeating,
    flowWanted,
    roomHeat,
  })
  const water = stepHotWater(plan, habits, state, settings, { time, hours, heatPump })
  state.time = time
  return {
    weather,
    heatPump,
    flowWanted,
    isHeating,
    rooms,
    roomHeat,
    ...water,
    ...stepElectricity(plan, habits, state, settings, { time, hours, weather, electrical: heatPump.electrical }),
  }
}

interface Moment {
  readonly time: number
  readonly hours: number
}

function stepRooms(
  habits: HouseHabits,
  state: HouseState,
  settings: HouseSettings,
  { time, hours, weather, flow }: Moment & { readonly weather: Weather; readonly flow: number },
) {
  return state.rooms.map((room, index) => {
    const { people, airing, forgotten } = present(habits.rooms[index])
    const set = settings.rooms[index]
    const around = {
      weather,
      flow,
      setpoint: set === undefined ? 20 : setpointAt(set, time),
      isWindowOpen: airing.during(time) !== null || forgotten.during(time) !== null,
      people: people(time),
    }
    const { valve, heat } = stepRoom(room, around, hours)
    return { valve, heat, isWindowOpen: around.isWindowOpen, people: around.people }
  })
}

interface Heat extends Moment {
  readonly weather: Weather
  readonly mean: number
  readonly isHeating: boolean
  readonly flowWanted: number
  readonly roomHeat: number
}

function stepHeat(
  { heatPump }: HousePlan,
  habits: HouseHabits,
  state: HouseState,
  settings: HouseSettings,
  { time, hours, weather, mean, isHeating, flowWanted, roomHeat }: Heat,
): HeatPumpOutput {
  const pump = state.heatPump
  const demand: Demand = {
    time,
    forbidden: habits.fault.during(time) !== null ? 'fault' : habits.lock.during(time) !== null ? 'locked' : null,
    isAllowedToHeat: isHeating,
    isAllowedToMakeHotWater: !['off', 'heating'].includes(settings.heatPumpMode),
    heatingGap: flowWanted - state.buffer,
    hotWaterGap: hotWaterTarget(state, settings, time) - state.hotWater,
    isIcy: heatPump.kind === 'air' && weather.temperature < 4.5 && time % (75 * MINUTE) < 6 * MINUTE,
  }
  decide(pump, demand)
  const output = outputOf(heatPump, pump, {
    wanted: pump.makesHotWater ? state.hotWater : state.buffer,
    load: loadFor(pump, demand),
    source: sourceTemperature(heatPump.kind, weather.temperature, mean),
  })
  if (output.load > 0) pump.runtime += hours
  const intoBuffer = (pump.makesHotWater ? 0 : output.thermal) - roomHeat - 0.006 * (state.buffer - 18)
  state.buffer += (intoBuffer * hours) / BUFFER_CAPACITY
  state.meters.heat += Math.max(0, output.thermal) * hours
  return output
}

/** The target for the hot water. Once a week, on Sunday night, it is high for some hours. */
function hotWaterTarget(state: HouseState, settings: HouseSettings, time: number): number {
  const begin = legionellaBegin(settings, time)
  const isDue = time >= begin && time < begin + LEGIONELLA_HOURS * HOUR && state.legionella < begin
  return isDue ? LEGIONELLA_TARGET : settings.hotWater
}

/** The beginning of the heating against legionella on the last Sunday up to a time. */
function legionellaBegin({ legionellaHour }: Pick<HouseSettings, 'legionellaHour'>, time: number): number {
  const { day, weekday } = localTime(time)
  return instantOf(day - (weekday % 7), legionellaHour)
}

function stepHotWater(
  { size }: HousePlan,
  habits: HouseHabits,
  state: HouseState,
  settings: HouseSettings,
  { time, hours, heatPump }: Moment & { readonly heatPump: HeatPumpOutput },
) {
  const use = habits.hotWater(time)
  /** m³/h, mixed for hands and showers */
  const hotFlow = (0.11 * size * use * (45 - COLD_WATER)) / (state.hotWater - COLD_WATER)
  const { hour } = localTime(time)
  const circulates = (hour + 2) % 24 >= settings.circulationPause
  const taken = WATER_HEAT * hotFlow * (state.hotWater - COLD_WATER)
  const given = state.heatPump.makesHotWater ? Math.max(0, heatPump.thermal) : 0
  const lost = (0.004 + (circulates ? 0.01 : 0)) * (state.hotWater - 20)
  state.hotWater += ((given - taken - lost) * hours) / HOT_WATER_CAPACITY
  const begin = legionellaBegin(settings, time)
  if (state.hotWater >= LEGIONELLA_TARGET && time - begin < DAY && state.legionella < begin) state.legionella = time
  const waterFlow = hotFlow + 0.14 * size * use
  state.meters.water += waterFlow * hours
  return { waterFlow, circulates }
}

function stepElectricity(
  plan: HousePlan,
  habits: HouseHabits,
  state: HouseState,
  settings: HouseSettings,
  { time, hours, weather, electrical }: Moment & { readonly weather: Weather; readonly electrical: number },
) {
  const solar = solarOutput(plan.solarPeak, weather, plan.solarPeak * settings.feedInLimit)
  const household = habits.household(time)
  const { charger, isCarThere } = stepCar(habits, state, settings, { time, hours })
  const needed = household + electrical + charger
  const battery = stepBattery(plan.battery, state.battery, {
    surplus: solar.power - needed,
    reserve: settings.batteryReserve,
    hours,
  })
  const grid = needed + battery - solar.power
  const { meters } = state
  meters.imported += Math.max(0, grid) * hours
  meters.exported += Math.max(0, -grid) * hours
  meters.solar += solar.power * hours
  if (localTime(time).day !== localTime(time - hours * HOUR).day) state.solarToday = 0
  state.solarToday += solar.power * hours
  return { solar, household, charger, battery, grid, isCarThere }
}

/** A car charges as soon as it is there, as fast as it may. */
function stepCar(
  habits: HouseHabits,
  state: HouseState,
  { chargingAmpere }: HouseSettings,
  { time, hours }: Moment,
): { readonly charger: number; readonly isCarThere: boolean } {
  const charging = habits.charging(time)
  if (charging === null) {
    state.car = null
    return { charger: 0, isCarThere: false }
  }
  const power = chargerPower(chargingAmpere)
  const since = charging.span.from
  // After a restart, the car is taken to have charged since it came.
  state.car ??= { since, taken: Math.min(charging.wanted, (power * (time - hours * HOUR - since)) / HOUR) }
  const charger = Math.max(0, Math.min(power, (charging.wanted - state.car.taken) / hours))
  state.car.taken += charger * hours
  state.meters.charged += charger * hours
  return { charger, isCarThere: true }
}
