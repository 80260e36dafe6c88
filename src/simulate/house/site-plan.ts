import { present } from '../../lib/present.ts'
import type { RoomKind } from './habits.ts'

/** A component that a site has if the platform knows its model. */
export interface PlannedComponent {
  /** The id of the component within its site. It never changes. */
  readonly id: string
  /** The code of the component model. */
  readonly model: string
  readonly name: string
  /** The index of the component's room; null if it is not in a room. */
  readonly room: number | null
}

interface HouseKind {
  readonly name: string
  /** The record key of the house's organization unit. */
  readonly organizationUnit: string
  /** `rated` is the power in kW. */
  readonly heatPump: { readonly kind: 'brine' | 'air'; readonly rated: number; readonly model: string }
  readonly rooms: readonly { readonly name: string; readonly kind: RoomKind }[]
  /** kW */
  readonly solarPeak: number
  /** kWh and kW */
  readonly battery: { readonly capacity: number; readonly power: number }
  /** The number of households. */
  readonly size: number
}

/** The plan of a house, which is one system on the platform. It never changes. */
export interface SitePlan extends HouseKind {
  /** The id seeds the random numbers of the house. */
  readonly id: string
  readonly seed: number
  readonly components: readonly PlannedComponent[]
}

const BRINE = { kind: 'brine', rated: 60, model: 'heat-pump-brine-60' } as const
const AIR = { kind: 'air', rated: 25, model: 'heat-pump-air-25' } as const

const HOUSES: readonly HouseKind[] = [
  {
    name: 'Lindenhof 1',
    organizationUnit: 'lindenhof/lindenhof-1',
    heatPump: BRINE,
    rooms: [
      { name: 'Flat 1, living room', kind: 'living' },
      { name: 'Flat 2, bedroom', kind: 'bedroom' },
      { name: 'Flat 3, kitchen', kind: 'kitchen' },
      { name: 'Flat 4, living room', kind: 'living' },
      { name: 'Flat 5, bedroom', kind: 'bedroom' },
      { name: 'Flat 5, study', kind: 'office' },
    ],
    solarPeak: 48,
    battery: { capacity: 100, power: 50 },
    size: 5,
  },
  {
    name: 'Row houses',
    organizationUnit: 'lindenhof/row',
    heatPump: AIR,
    rooms: [
      { name: 'House 5a, living room', kind: 'living' },
      { name: 'House 5b, bedroom', kind: 'bedroom' },
      { name: 'House 5c, kitchen', kind: 'kitchen' },
    ],
    solarPeak: 21,
    battery: { capacity: 30, power: 15 },
    size: 3,
  },
  {
    name: 'Lindenhof 3',
    organizationUnit: 'lindenhof/lindenhof-3',
    heatPump: BRINE,
    rooms: [
      { name: 'Flat 1, living room', kind: 'living' },
      { name: 'Flat 2, bedroom', kind: 'bedroom' },
      { name: 'Flat 3, study', kind: 'office' },
    ],
    solarPeak: 36,
    battery: { capacity: 60, power: 30 },
    size: 3,
  },
]

const PLANT_ROOM = [
  ['gateway', 'site-gateway', 'Gateway'],
  ['weather', 'weather-station', 'Weather station'],
  ['heat-pump', '', 'Heat pump'],
  ['buffer', 'buffer-tank-1500', 'Buffer tank'],
  ['hot-water', 'hot-water-station', 'Hot water station'],
  ['heat-meter', 'heat-meter-ultrasonic', 'Heat meter'],
  ['grid-meter', 'electricity-meter-3p', 'Electricity meter'],
  ['water-meter', 'water-meter', 'Water meter'],
  ['solar', 'pv-inverter-50', 'PV inverter'],
  ['battery', 'battery-100', 'Battery'],
  ['charger', 'charging-point-22', 'Charging point'],
] as const

const ROOM = [
  ['sensor', 'room-sensor', 'room sensor'],
  ['thermostat', 'room-thermostat', 'thermostat'],
  ['valve', 'radiator-valve', 'radiator valve'],
  ['window', 'window-sensor', 'window'],
] as const

/** Returns the plan of the house with this index, from 0. Three kinds of houses repeat with different names. */
export function sitePlan(seed: number, index: number): SitePlan {
  const kind = present(HOUSES[index % HOUSES.length])
  const round = Math.floor(index / HOUSES.length)
  return {
    ...kind,
    id: `house ${index}`,
    seed,
    name: `${kind.name}${round === 0 ? '' : ` (${round + 1})`}${seed === 1 ? '' : `, seed ${seed}`} (simulated)`,
    components: [
      ...PLANT_ROOM.map(([id, model, name]) => ({ id, model: model || kind.heatPump.model, name, room: null })),
      ...kind.rooms.flatMap((room, at) =>
        ROOM.map(([id, model, name]) => ({ id: `${id}-${at}`, model, name: `${room.name}: ${name}`, room: at })),
      ),
    ],
  }
}
