import type { SentPoint } from '../../api-client/index.ts'
import { parseJson } from '../../lib/json.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { random } from '../house/chance.ts'
import { spanOf } from '../house/habits.ts'
import type { Reports } from '../house/moment.ts'
import { HOUR, MINUTE } from '../house/local-time.ts'
import { fitTo, type Fit } from './fit.ts'
import type { Site } from './site.ts'
import type { PlannedComponent } from '../house/site-plan.ts'

/** A characteristic that a component on the platform supports. */
export interface Supported {
  readonly component: PlannedComponent
  readonly characteristic: string
  readonly isSetting: boolean
  readonly definition: RecordBody
  /** The uuid of the component. */
  readonly uuid: string
  /** The keys of the service and the characteristic. */
  readonly path: string
  /** The value of the last datapoint on the platform; undefined if there is none. */
  readonly lastValue: unknown
  /** The time of that datapoint; null if there is none. */
  readonly lastTime: number | null
}

/** The time between reports of slowly changing values. Other values are reported at each interval. */
const SLOW: { readonly [characteristic: string]: number } = {
  'battery-cycles': HOUR,
  'battery-level': HOUR,
  'connected-devices': 15 * MINUTE,
  'last-legionella-cycle': HOUR,
  'last-sync': 15 * MINUTE,
  'signal-strength': 15 * MINUTE,
  uptime: 15 * MINUTE,
  'weather-forecast': HOUR,
}

/** Sensors whose error is a share of the value. Temperature sensors have a constant error. */
const IMPRECISE = new Set(['co2-concentration', 'compressor-speed', 'dc-voltage', 'room-humidity', 'wind-speed'])

/** The reports of a device for one characteristic. */
export class Series {
  readonly supported: Supported
  readonly #site: Site
  readonly #fit: Fit
  #last: string | null
  /** The reason why the device cannot report the values. */
  problem: string | null = null

  constructor(site: Site, supported: Supported) {
    const { definition, lastValue } = supported
    this.supported = supported
    this.#site = site
    this.#fit = fitTo(definition)
    this.#last = lastValue === undefined ? null : JSON.stringify(lastValue)
  }

  /**
   * Returns the datapoint for `time`; null if there is nothing to report. Numbers are reported at each
   * interval. States and settings are reported when they change, and once an hour.
   */
  report(reports: Reports, time: number, before: number): SentPoint | null {
    const { component, characteristic, isSetting } = this.supported
    const value = isSetting
      ? this.#site.settings.get(component.id, characteristic)
      : reports[component.id]?.[characteristic]
    const slow = isSetting ? undefined : SLOW[characteristic]
    const period = slow ?? (isSetting || typeof value !== 'number' ? HOUR : 1)
    const isDue = this.#last === null || Math.floor(time / period) > Math.floor(before / period)
    // The gateway stores settings, so it can report them even if the device is out of reach.
    if ((!isDue && slow !== undefined) || (!isSetting && this.#isSilent(time))) return null
    const text = this.#textOf(isSetting ? value : this.#measure(value, time))
    return text === null || (!isDue && text === this.#last) ? null : this.#datapoint(text, time)
  }

  /** Returns the datapoint of a value that was just set. */
  reportSet(value: unknown, time: number): SentPoint | null {
    const text = this.#textOf(value)
    return text === null ? null : this.#datapoint(text, time)
  }

  /** Adds the sensor's error, which differs each time. At 0 there is no error, because the device may be off. */
  #measure(value: unknown, time: number): unknown {
    if (typeof value === 'function') return value()
    const { component, characteristic } = this.supported
    if (typeof value !== 'number' || value === 0) return value
    const error = characteristic.includes('temperature') ? 0.08 : IMPRECISE.has(characteristic) ? 0.005 * value : 0
    const { seed, id } = this.#site.plan
    return value + error * (2 * random(seed, `${id} ${component.id} ${characteristic}`, time / 1_000) - 1)
  }

  #isSilent(time: number): boolean {
    const { room } = this.supported.component
    const { seed, id, rooms } = this.#site.plan
    return room !== null && spanOf('silence', seed, `${id} ${rooms[room]?.name}`, time) !== null
  }

  #datapoint(text: string, time: number): SentPoint {
    this.#last = text
    const { uuid, path } = this.supported
    return { component: uuid, path, value: parseJson(text), timestamp: time }
  }

  #textOf(value: unknown): string | null {
    if (value === undefined) return null
    const { text, problem } = this.#fit(value)
    this.problem ??= problem ?? null
    return text
  }
}
