import { present } from '../../lib/present.ts'
import type { HousePlan } from '../physics/house.ts'
import type { RoomKind } from '../physics/habits.ts'

/** A component that a site has where the platform knows its model. */
export interface PlannedComponent {
  /** The id within its site, which never changes. */
  readonly id: string
  /** The code of its component model. */
  readonly model: string
  readonly name: string
  /** The index of its room; null where it is in none. */
  readonly room: number | null
}

/** A house as it is made on the platform, as one system. */
export interface SitePlan {
  readonly name: string
  /** The record key of its organization unit. */
  readonly organizationUnit: string
  readonly house: HousePlan
  readonly components: readonly PlannedComponent[]
}

interface HouseKind {
  readonly name: string
  readonly organizationUnit: string
  readonly heatPump: HousePlan['heatPump'] & { readonly model: string }
  readonly rooms: readonly (readonly [name: string, kind: RoomKind])[]
  readonly solarPeak: number
  readonly battery: HousePlan['battery']
  readonly size: number
  readonly zonesPerRoom: number
}

const BRINE = { kind: 'brine', rated: 60, model: 'heat-pump-brine-60' } as const
const AIR = { kind: 'air', rated: 25, model: 'heat-pump-air-25' } as const

const HOUSES: readonly HouseKind[] = [
  {
    name: 'Lindenhof 1',
    organizationUnit: 'lindenhof/lindenhof-1',
    heatPump: BRINE,
    rooms: [
      ['Flat 1, living room', 'living'],
      ['Flat 2, bedroom', 'bedroom'],
      ['Flat 3, kitchen', 'kitchen'],
      ['Flat 4, living room', 'living'],
      ['Flat 5, bedroom', 'bedroom'],
      ['Flat 5, study', 'office'],
    ],
    solarPeak: 48,
    battery: { capacity: 100, power: 50 },
    size: 5,
    zonesPerRoom: 2,
  },
  {
    name: 'Row houses',
    organizationUnit: 'lindenhof/row',
    heatPump: AIR,
    rooms: [
      ['House 5a, living room', 'living'],
      ['House 5b, bedroom', 'bedroom'],
      ['House 5c, kitchen', 'kitchen'],
    ],
    solarPeak: 21,
    battery: { capacity: 30, power: 15 },
    size: 3,
    zonesPerRoom: 1.6,
  },
  {
    name: 'Lindenhof 3',
    organizationUnit: 'lindenhof/lindenhof-3',
    heatPump: BRINE,
    rooms: [
      ['Flat 1, living room', 'living'],
      ['Flat 2, bedroom', 'bedroom'],
      ['Flat 3, study', 'office'],
    ],
    solarPeak: 36,
    battery: { capacity: 60, power: 30 },
    size: 3,
    zonesPerRoom: 3,
  },
]

/**
 * The plan of the house with this number, from 0. There are three kinds of houses, which repeat under other names.
 */
export function sitePlan(seed: number, index: number): SitePlan {
  const kind = present(HOUSES[index % HOUSES.length])
  const round = Math.floor(index / HOUSES.length)
  const { name, organizationUnit, heatPump, rooms, solarPeak, battery, size, zonesPerRoom } = kind
  const house: HousePlan = {
    id: `house ${index}`,
    seed,
    heatPump,
    rooms: rooms.map(([room, roomKind]) => ({ id: `${index} ${room}`, kind: roomKind })),
    solarPeak,
    battery,
    size,
    zonesPerRoom,
  }
  return {
    name: `${name}${round === 0 ? '' : ` (${round + 1})`}${seed === 1 ? '' : `, seed ${seed}`} (simulated)`,
    organizationUnit,
    house,
    components: [...plantRoom(heatPump.model), ...rooms.flatMap(([room], at) => roomDevices(room, at))],
  }
}

function plantRoom(heatPump: string): PlannedComponent[] {
  return [
    central('gateway', 'site-gateway', 'Gateway'),
    central('weather', 'weather-station', 'Weather station'),
    central('heat-pump', heatPump, 'Heat pump'),
    central('buffer', 'buffer-tank-1500', 'Buffer tank'),
    central('hot-water', 'hot-water-station', 'Hot water station'),
    central('heat-meter', 'heat-meter-ultrasonic', 'Heat meter'),
    central('grid-meter', 'electricity-meter-3p', 'Electricity meter'),
    central('water-meter', 'water-meter', 'Water meter'),
    central('solar', 'pv-inverter-50', 'PV inverter'),
    central('battery', 'battery-100', 'Battery'),
    central('charger', 'charging-point-22', 'Charging point'),
  ]
}

function central(id: string, model: string, name: string): PlannedComponent {
  return { id, model, name, room: null }
}

function roomDevices(room: string, at: number): PlannedComponent[] {
  const one = (id: string, model: string, what: string) => ({
    id: `${id}-${at}`,
    model,
    name: `${room}: ${what}`,
    room: at,
  })
  return [
    one('sensor', 'room-sensor', 'room sensor'),
    one('thermostat', 'room-thermostat', 'thermostat'),
    one('valve', 'radiator-valve', 'radiator valve'),
    one('window', 'window-sensor', 'window'),
  ]
}
