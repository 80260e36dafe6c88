import type { DataType } from '../../../generated/import-document.ts'
import { dataTypeOf } from '../../datapoints/rules/compile-rules.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { HOUR } from '../physics/local-time.ts'
import type { Habit } from '../physics/habits.ts'
import type { HouseFigures } from '../physics/house.ts'
import { ELECTRICITY_READINGS } from './electricity-readings.ts'
import { fitTo, type Fit } from './fit.ts'
import { HEATING_READINGS } from './heating-readings.ts'
import { each, type Reading, type Readings, type View } from './reading.ts'
import { ROOM_READINGS } from './room-readings.ts'
import { sensorNoise, type Site } from './site.ts'
import type { PlannedComponent } from './site-plan.ts'

export interface SeriesUuids {
  readonly system: string
  readonly component: string
  readonly service: string
  readonly characteristic: string
}

/** A characteristic that a component on the platform supports. */
export interface Supported {
  readonly component: PlannedComponent
  readonly service: string
  readonly characteristic: string
  readonly isSetting: boolean
  readonly definition: RecordBody
  readonly uuids: SeriesUuids
  /** The value of the last datapoint on the platform; undefined where there is none. */
  readonly lastValue: unknown
}

const READINGS: { readonly [model: string]: Readings } = {
  ...HEATING_READINGS,
  ...ELECTRICITY_READINGS,
  ...ROOM_READINGS,
}

/** Tells whether the simulation knows the devices of a component model. */
export function isKnownModel(model: string): boolean {
  return Object.hasOwn(READINGS, model)
}

/** Whether values are reported when they change, and once an hour otherwise. */
const IS_TOLD_ON_CHANGE: { readonly [dataType in DataType]: boolean } = {
  BLOB: true,
  BOOLEAN: true,
  DATE: true,
  FLOAT: false,
  INTEGER: false,
  JSON: true,
  SELECT: true,
  STRING: true,
  TIME: true,
  TIMESPAN: true,
  TIMESTAMP: false,
}

type Surroundings = Omit<View, 'figures' | 'time'>

/** The reports of a device for one characteristic. */
export class Series {
  readonly supported: Supported
  readonly #reading: Reading
  readonly #fit: Fit
  readonly #isOnChange: boolean
  readonly #surroundings: Surroundings
  readonly #silence: Habit | null
  /** The JSON text of its datapoints up to the value. */
  readonly #head: string
  #last: string | null
  /** The reason why it cannot report its values. */
  problem: string | null = null

  constructor(supported: Supported, reading: Reading, surroundings: Surroundings, silence: Habit | null) {
    const { definition, isSetting, lastValue } = supported
    this.supported = supported
    this.#reading = reading
    this.#fit = fitTo(definition)
    this.#isOnChange = reading.every === 0 && (isSetting || IS_TOLD_ON_CHANGE[dataTypeOf(definition)])
    this.#surroundings = surroundings
    this.#silence = silence
    this.#head = headOf(supported.uuids)
    this.#last = lastValue === undefined ? null : JSON.stringify(lastValue)
  }

  /** The datapoint for `time` as JSON; null where there is nothing to report. */
  report(figures: HouseFigures, time: number, before: number): string | null {
    if (this.#silence !== null && this.#silence.during(time) !== null) return null
    const isDue = isNextPeriod(this.#isOnChange ? HOUR : this.#reading.every, time, before) || this.#last === null
    if (!isDue && !this.#isOnChange) return null
    const text = this.#textOf(this.#reading.read({ ...this.#surroundings, figures, time }))
    if (text === null || (!isDue && text === this.#last)) return null
    return this.#datapoint(text, time)
  }

  /** The datapoint of a value that was just set. */
  reportSet(value: unknown, time: number): string | null {
    const text = this.#textOf(value)
    return text === null ? null : this.#datapoint(text, time)
  }

  #datapoint(text: string, time: number): string {
    this.#last = text
    return `${this.#head}${text},"timestamp":${time}}`
  }

  #textOf(value: unknown): string | null {
    if (value === undefined) return null
    const { text, problem } = this.#fit(value)
    this.problem ??= problem ?? null
    return text
  }
}

function headOf({ system, component, service, characteristic }: SeriesUuids): string {
  return `{"system_uuid":"${system}","component_uuid":"${component}","service_uuid":"${service}","characteristic_uuid":"${characteristic}","value":`
}

function isNextPeriod(period: number, time: number, before: number): boolean {
  return period === 0 || Math.floor(time / period) > Math.floor(before / period)
}

/** The series of a site, for the characteristics that the platform says are supported. */
export function seriesOf(site: Site, supported: readonly Supported[]): Series[] {
  const devices = new Set(supported.map(({ component }) => component.id)).size
  return supported.flatMap((one) => {
    const { component, characteristic } = one
    const reading = one.isSetting ? settingOf(site, one) : READINGS[component.model]?.[characteristic]
    if (reading === undefined) return []
    const surroundings = {
      plan: site.plan.house,
      climate: site.habits.climate,
      state: site.state,
      room: component.room ?? 0,
      devices,
      chance: sensorNoise(site.plan, component.id, characteristic),
    }
    const room = component.room === null ? undefined : site.habits.rooms[component.room]
    // The gateway knows the set value, and is always in reach.
    return [new Series(one, reading, surroundings, one.isSetting ? null : (room?.silence ?? null))]
  })
}

function settingOf(site: Site, { component, characteristic }: Supported): Reading {
  return each(() => site.settings.get(component.id, characteristic))
}
