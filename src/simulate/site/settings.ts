import { Temporal } from 'temporal-polyfill'
import { isObject } from '../../lib/json.ts'
import {
  hourOf,
  type CurvePoint,
  type HouseSettings,
  type RoomSettings,
  type ScheduleEntry,
} from '../physics/house-settings.ts'
import type { RoomKind } from '../physics/habits.ts'
import type { SitePlan } from './site-plan.ts'

const DEFAULTS: { readonly [characteristic: string]: unknown } = {
  'heat-pump-mode': 'auto',
  'flow-temperature-setpoint': 55,
  'heating-curve': [
    { outdoor: -15, flow: 50 },
    { outdoor: 20, flow: 26 },
  ],
  'next-maintenance': '2027-04-15',
  'hot-water-setpoint': 58,
  'legionella-cycle-time': '02:00:00',
  'circulation-pause': 'PT6H',
  'meter-reading-day': '2026-12-31',
  'feed-in-limit': '100',
  'battery-reserve': 10,
  'charging-current-limit': 16,
  'setback-setpoint': 17.5,
  'child-lock': false,
  'sending-interval': 60,
}

const COMFORT: { readonly [kind in RoomKind]: number } = { living: 21.5, bedroom: 18.5, kitchen: 20, office: 21 }

/** The settings of the devices of a site: values that users have set, and otherwise the defaults. */
export class SiteSettings {
  readonly #plan: SitePlan
  readonly #set = new Map<string, unknown>()
  #house: HouseSettings | null = null

  constructor(plan: SitePlan) {
    this.#plan = plan
  }

  /** The value; undefined where it was never set and has no default. */
  get(component: string, characteristic: string): unknown {
    const key = `${component}/${characteristic}`
    return this.#set.has(key) ? this.#set.get(key) : this.#defaultOf(component, characteristic)
  }

  set(component: string, characteristic: string, value: unknown): void {
    this.#set.set(`${component}/${characteristic}`, value)
    this.#house = null
  }

  /** The reason why a device refuses a setpoint; null where it accepts it. */
  refusalOf(component: string, characteristic: string, value: unknown): string | null {
    const isAir = this.#plan.house.heatPump.kind === 'air'
    if (component === 'heat-pump' && characteristic === 'heat-pump-mode' && value === 'cooling' && isAir)
      return 'an air heat pump has no brine to cool with'
    return null
  }

  /** The settings in the form that the physics uses. */
  house(): HouseSettings {
    return (this.#house ??= this.#read())
  }

  #read(): HouseSettings {
    const number = (component: string, characteristic: string, otherwise: number) =>
      numberIn(this.get(component, characteristic), otherwise)
    return {
      heatPumpMode: textIn(this.get('heat-pump', 'heat-pump-mode'), 'auto'),
      flowLimit: number('heat-pump', 'flow-temperature-setpoint', 55),
      curve: listIn(this.get('heat-pump', 'heating-curve'), isCurvePoint),
      hotWater: number('hot-water', 'hot-water-setpoint', 58),
      legionellaHour: hourOf(textIn(this.get('hot-water', 'legionella-cycle-time'), '02:00')),
      circulationPause: hoursIn(this.get('hot-water', 'circulation-pause')),
      feedInLimit: Number(textIn(this.get('solar', 'feed-in-limit'), '100')) / 100,
      batteryReserve: number('battery', 'battery-reserve', 10) / 100,
      chargingAmpere: number('charger', 'charging-current-limit', 16),
      rooms: this.#plan.house.rooms.map((_, room) => this.#room(`thermostat-${room}`)),
    }
  }

  #room(thermostat: string): RoomSettings {
    return {
      mode: textIn(this.get(thermostat, 'thermostat-mode'), 'comfort'),
      comfort: numberIn(this.get(thermostat, 'room-setpoint'), 20),
      setback: numberIn(this.get(thermostat, 'setback-setpoint'), 17),
      schedule: listIn(this.get(thermostat, 'heating-schedule'), isScheduleEntry),
    }
  }

  #defaultOf(component: string, characteristic: string): unknown {
    const room = /^thermostat-(\d+)$/.exec(component)?.[1]
    const kind = room === undefined ? undefined : this.#plan.house.rooms[Number(room)]?.kind
    if (kind !== undefined && characteristic === 'room-setpoint') return COMFORT[kind]
    if (kind !== undefined && characteristic === 'thermostat-mode') return kind === 'living' ? 'comfort' : 'schedule'
    return DEFAULTS[characteristic]
  }
}

// A model may give a setting another data type, and then its value is ignored.

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}

function textIn(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise
}

function listIn<T>(value: unknown, isItem: (item: unknown) => item is T): readonly T[] {
  return Array.isArray(value) ? value.filter(isItem) : []
}

function isCurvePoint(item: unknown): item is CurvePoint {
  return isObject(item) && typeof item['outdoor'] === 'number' && typeof item['flow'] === 'number'
}

function isScheduleEntry(item: unknown): item is ScheduleEntry {
  if (!isObject(item)) return false
  return typeof item['day'] === 'number' && typeof item['from'] === 'string' && typeof item['setpoint'] === 'number'
}

/** Months and years have no fixed length, and make no sense for a pause at night. */
function hoursIn(value: unknown): number {
  try {
    return Temporal.Duration.from(textIn(value, 'PT0H')).total('hours')
  } catch {
    return 0
  }
}
