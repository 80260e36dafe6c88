import { localTime } from './local-time.ts'
import { clamp } from './numbers.ts'

// These are the settings of the devices in the form that the physics uses.

export interface RoomSettings {
  readonly mode: string
  readonly comfort: number
  readonly setback: number
  /** The times at which another setpoint begins. Without any, days are comfortable and nights are not. */
  readonly schedule: readonly ScheduleEntry[]
}

export interface ScheduleEntry {
  /** 1 is Monday. */
  readonly day: number
  /** `06:30` */
  readonly from: string
  readonly setpoint: number
}

export interface CurvePoint {
  readonly outdoor: number
  readonly flow: number
}

export interface HouseSettings {
  readonly heatPumpMode: string
  /** The highest °C of the flow. */
  readonly flowLimit: number
  readonly curve: readonly CurvePoint[]
  readonly hotWater: number
  /** The local hour on Sundays. */
  readonly legionellaHour: number
  /** The hours of the pause, from 22:00 on. */
  readonly circulationPause: number
  /** The share of the inverter's rated power. */
  readonly feedInLimit: number
  /** The share of the battery's capacity. */
  readonly batteryReserve: number
  readonly chargingAmpere: number
  readonly rooms: readonly RoomSettings[]
}

const FROST_PROTECTION = 7
const DAY_BEGINS = 6
const DAY_ENDS = 22

/** The setpoint of a thermostat at a time, in °C. */
export function setpointAt({ mode, comfort, setback, schedule }: RoomSettings, time: number): number {
  if (mode === 'comfort') return comfort
  if (mode === 'setback') return setback
  if (mode === 'frost-protection') return FROST_PROTECTION
  const { hour, weekday } = localTime(time)
  const entry = schedule.length === 0 ? undefined : entryAt(schedule, (weekday - 1) * 24 + hour)
  return entry?.setpoint ?? (hour >= DAY_BEGINS && hour < DAY_ENDS ? comfort : setback)
}

/** The entry that began last. Before the first entry of a week it is the last one of the week before. */
function entryAt(schedule: readonly ScheduleEntry[], hourOfWeek: number): ScheduleEntry | undefined {
  const sorted = schedule.toSorted((a, b) => beginOf(a) - beginOf(b))
  return sorted.findLast((entry) => beginOf(entry) <= hourOfWeek) ?? sorted.at(-1)
}

function beginOf({ day, from }: ScheduleEntry): number {
  return (day - 1) * 24 + hourOf(from)
}

/** `06:30` and `06:30:00` → 6.5 */
export function hourOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours + minutes / 60
}

/** The flow temperature for an outdoor temperature, interpolated between the points of the heating curve. */
export function flowFor(curve: readonly CurvePoint[], outdoor: number): number {
  const points = curve.toSorted((a, b) => a.outdoor - b.outdoor)
  const above = points.findIndex((point) => point.outdoor >= outdoor)
  const [low, high] =
    above === -1 ? [points.at(-1), points.at(-1)] : [points[above - 1] ?? points[above], points[above]]
  if (low === undefined || high === undefined) return 35
  const span = high.outdoor - low.outdoor
  return span === 0 ? high.flow : low.flow + clamp((outdoor - low.outdoor) / span, 0, 1) * (high.flow - low.flow)
}
