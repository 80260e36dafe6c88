import { newHouse, type HousePlan, type HouseState } from '../physics/house.ts'
import type { HeatPumpOperation } from '../physics/heat-pump.ts'
import { vapourOf } from '../physics/room.ts'

/** The last value of a characteristic of a component; undefined where there is none. */
export type LastValue = (component: string, characteristic: string) => unknown

const OPERATIONS: readonly HeatPumpOperation[] = ['standby', 'running', 'defrosting', 'locked', 'fault']

/** A house in the state that it last reported. What it never reported is as in a new house. */
export function resumeHouse(plan: HousePlan, time: number, last: LastValue): HouseState {
  const fresh = newHouse(plan, time)
  const number = (component: string, characteristic: string, otherwise: number) => {
    const value = last(component, characteristic)
    return typeof value === 'number' ? value : otherwise
  }
  const { heatPump, battery, meters } = fresh
  const top = number('buffer', 'buffer-temperature-top', fresh.buffer)
  const bottom = number('buffer', 'buffer-temperature-bottom', fresh.buffer)
  return {
    ...fresh,
    rooms: fresh.rooms.map((room, index) => {
      const temperature = number(`sensor-${index}`, 'room-temperature', room.temperature)
      const humidity = number(`sensor-${index}`, 'room-humidity', 45)
      const co2 = number(`sensor-${index}`, 'co2-concentration', room.co2)
      return { temperature, co2, vapour: vapourOf(temperature, humidity) }
    }),
    heatPump: {
      ...heatPump,
      operation: OPERATIONS.find((one) => one === last('heat-pump', 'heat-pump-state')) ?? 'standby',
      starts: number('heat-pump', 'compressor-starts', heatPump.starts),
      runtime: number('heat-pump', 'compressor-runtime', heatPump.runtime),
    },
    battery: {
      charge: number('battery', 'battery-state-of-charge', battery.charge * 100) / 100,
      cycles: number('battery', 'battery-cycles', battery.cycles),
      temperature: number('battery', 'battery-temperature', battery.temperature),
    },
    meters: {
      imported: number('grid-meter', 'energy-imported', meters.imported),
      exported: number('grid-meter', 'energy-exported', meters.exported),
      heat: number('heat-meter', 'heat-energy', meters.heat),
      solar: number('solar', 'yield-total', meters.solar),
      charged: number('charger', 'energy-imported', meters.charged),
      water: number('water-meter', 'water-volume', meters.water),
    },
    buffer: (top + bottom) / 2,
    hotWater: number('hot-water', 'hot-water-temperature', fresh.hotWater),
    solarToday: number('solar', 'yield-today', 0),
    legionella: timeIn(last('hot-water', 'last-legionella-cycle')),
  }
}

function timeIn(value: unknown): number {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(time) ? 0 : time
}
