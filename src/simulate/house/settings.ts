import { Temporal } from 'temporal-polyfill'
import { isObject } from '../../lib/json.ts'
import type { RoomKind } from './habits.ts'
import { localTime } from './local-time.ts'
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
const FROST_PROTECTION = 7

/** The settings of a site's devices: the values that users have set, and defaults for the others. */
export class SiteSettings {
  readonly #plan: SitePlan
  readonly #set = new Map<string, unknown>()

  constructor(plan: SitePlan) {
    this.#plan = plan
  }

  /** The value; undefined if nobody has set it and it has no default. */
  get(component: string, characteristic: string): unknown {
    const key = `${component}/${characteristic}`
    return this.#set.has(key) ? this.#set.get(key) : this.#defaultOf(component, characteristic)
  }

  set(component: string, characteristic: string, value: unknown): void {
    this.#set.set(`${component}/${characteristic}`, value)
  }

  /** Returns the reason why a device rejects a setpoint; null if it accepts it. */
  refusalOf(component: string, characteristic: string, value: unknown): string | null {
    const isMode = component === 'heat-pump' && characteristic === 'heat-pump-mode'
    if (isMode && value === 'cooling' && this.#plan.heatPump.kind === 'air')
      return 'an air heat pump has no brine to cool with'
    return null
  }

  /** Returns the value as a number. If the model gives a setting another data type, it returns the default. */
  number(component: string, characteristic: string): number {
    const value = this.get(component, characteristic)
    return Number.isFinite(value) ? Number(value) : Number(this.#defaultOf(component, characteristic))
  }

  text(component: string, characteristic: string): string {
    const value = this.get(component, characteristic)
    return typeof value === 'string' ? value : String(this.#defaultOf(component, characteristic))
  }

  /** Returns the length of the pause that begins at 22:00. Months and years have no fixed length, and are ignored. */
  circulationPauseHours(): number {
    try {
      return Temporal.Duration.from(this.text('hot-water', 'circulation-pause')).total('hours')
    } catch {
      return 0
    }
  }

  /** Returns the temperature of the water for the radiators in °C, by the heating curve. */
  flowFor(outdoor: number): number {
    const points = this.#list('heat-pump', 'heating-curve').filter(isCurvePoint)
    const sorted = points.toSorted((a, b) => a.outdoor - b.outdoor)
    const after = sorted.findIndex((point) => point.outdoor >= outdoor)
    const [low, high] = after === -1 ? [sorted.at(-1)] : [sorted[after - 1] ?? sorted[after], sorted[after]]
    const limit = this.number('heat-pump', 'flow-temperature-setpoint')
    if (low === undefined) return Math.min(35, limit)
    if (high === undefined || high.outdoor === low.outdoor) return Math.min(low.flow, limit)
    const share = (outdoor - low.outdoor) / (high.outdoor - low.outdoor)
    return Math.min(low.flow + share * (high.flow - low.flow), limit)
  }

  /**
   * Returns the target of a thermostat in °C at a time. Without a schedule, it is comfortable by day and lower at
   * night.
   */
  setpointAt(room: number, time: number): number {
    const thermostat = `thermostat-${room}`
    const mode = this.text(thermostat, 'thermostat-mode')
    if (mode === 'frost-protection') return FROST_PROTECTION
    const { hour, weekday } = localTime(time)
    const entries = this.#list(thermostat, 'heating-schedule').filter(isScheduleEntry)
    const sorted = entries.toSorted((a, b) => beginOf(a) - beginOf(b))
    // Before the first entry of a week, the last entry of the previous week applies.
    const entry = sorted.findLast((one) => beginOf(one) <= (weekday - 1) * 24 + hour) ?? sorted.at(-1)
    if (mode === 'schedule' && entry !== undefined) return entry.setpoint
    const isComfort = mode === 'schedule' ? hour >= 6 && hour < 22 : mode !== 'setback'
    return this.number(thermostat, isComfort ? 'room-setpoint' : 'setback-setpoint')
  }

  #list(component: string, characteristic: string): readonly unknown[] {
    const value = this.get(component, characteristic)
    return Array.isArray(value) ? value : []
  }

  #defaultOf(component: string, characteristic: string): unknown {
    const [, room] = /^thermostat-(\d+)$/.exec(component) ?? []
    const kind = room === undefined ? undefined : this.#plan.rooms[Number(room)]?.kind
    if (kind !== undefined && characteristic === 'room-setpoint') return COMFORT[kind]
    if (kind !== undefined && characteristic === 'thermostat-mode') return kind === 'living' ? 'comfort' : 'schedule'
    return DEFAULTS[characteristic]
  }
}

function isCurvePoint(item: unknown): item is { readonly outdoor: number; readonly flow: number } {
  return isObject(item) && typeof item['outdoor'] === 'number' && typeof item['flow'] === 'number'
}

interface ScheduleEntry {
  /** 1 is Monday. */
  readonly day: number
  /** `06:30` */
  readonly from: string
  readonly setpoint: number
}

function isScheduleEntry(item: unknown): item is ScheduleEntry {
  if (!isObject(item)) return false
  return typeof item['day'] === 'number' && typeof item['from'] === 'string' && typeof item['setpoint'] === 'number'
}

/** The hour of the week. */
function beginOf({ day, from }: ScheduleEntry): number {
  return (day - 1) * 24 + hourOf(from)
}

/** Returns for example 6.5 for `06:30` or `06:30:00`, and 0 for a text that is no time. */
export function hourOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  const hour = hours + minutes / 60
  return hour >= 0 && hour <= 24 ? hour : 0
}
